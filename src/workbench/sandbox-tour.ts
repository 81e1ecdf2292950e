/** The sandbox's intro: a few minutes that have already passed, and a guide that says what to press. */
import { type Clock, MINUTE, type RandomSource, SECOND } from '../clock.ts';
import { addRandomInvitation, SANDBOX_PROFILES } from './sandbox-agency.ts';
import { GUIDE_USER_NAME, SANDBOX_PEOPLE, STARTUP_COMMANDS } from './sandbox-seed.ts';
import type { Sandbox } from './sandbox-start.ts';
import { advanceRandomProposal } from './sandbox-traffic.ts';

/** Ordered by usefulness to a newcomer. Six lines, so that cards stay visible above them. */
export const TOUR_MESSAGE = [
  "*I'm your guide* (not part of Gigdesk). " +
    'Everything here is simulated, and nothing leaves your machine, so try anything you like.',
  '1. Press *Bid* on a card and send the form. ' +
    'Within a minute, the proposal appears on the card and in its thread.',
  '2. Type `/gig digest now` for a summary with charts in the thread. `/gig help` lists all commands.',
  '3. Open *gigdesk* under Apps, then *Home*, to see what needs your attention.',
  '4. Switch people at the top right: ben is a member, gus is a guest, and sam is from another company.',
  '5. In *Marketplace*, trigger a failure or skip an hour, and watch how Gigdesk reacts.',
].join('\n');

/** After this, every feed has been read once, so everything later counts as new. */
const FIRST_READINGS_MS = 30 * SECOND;
/** The app polls invitations and outcomes every two minutes. */
const NEXT_READINGS_MS = 2.5 * MINUTE;
const OUTCOMES = 3;

/** The guide posts in this channel. */
const [{ channel: FIRST_CHANNEL }] = STARTUP_COMMANDS;

/** Resolves after a few seconds, when there is something to see. @param tell prints each command */
export async function playSandboxIntro(
  { slack, marketplace, advanceTime }: Pick<Sandbox, 'slack' | 'marketplace' | 'advanceTime'>,
  clock: Clock,
  random: RandomSource,
  tell: (words: string) => void,
): Promise<void> {
  const [user = ''] = Object.keys(SANDBOX_PEOPLE);
  for (const { channel, text } of STARTUP_COMMANDS) {
    tell(`${user} in #${channel}: /gig ${text}`);
    await slack.runSlashCommand({ user, channel, text });
  }
  await advanceTime(FIRST_READINGS_MS);
  addRandomInvitation(marketplace, random, clock.now(), SANDBOX_PROFILES[0]);
  for (let outcome = 0; outcome < OUTCOMES; outcome++) advanceRandomProposal(marketplace, random);
  await advanceTime(NEXT_READINGS_MS);
  slack.postAsUser({ user: GUIDE_USER_NAME, channel: FIRST_CHANNEL, text: TOUR_MESSAGE });
}
