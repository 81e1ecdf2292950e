/** What the sandbox shows first: a guide, who is a person of the simulated workspace, says what to press. */
import { type Clock, SECOND } from '../clock.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';

/** Writes the tour; not Gigdesk itself, which says nothing of a sandbox. */
export const GUIDE = 'guide';

/** Six lines, in the order in which a newcomer gets most of it. */
export const TOUR = `*I am your guide:* I am no part of Gigdesk. All here is simulated and nothing leaves this machine, so press whatever you like.
1. *Bid* on a card and send the form; within a minute its proposal is on the card and in its thread.
2. Type \`/gig digest now\`: what came of it all, with pictures in its thread. \`/gig\` alone offers the rest.
3. Open *gigdesk* under Apps, then *Home*: what waits for you.
4. Act as somebody else, at the top: ben is no admin, gus a guest, sam of another company.
5. In *Marketplace*, order a fault, or let an hour pass, and see what Gigdesk makes of it.`;

/** So many messages stand in the channel before it: a newcomer sees cards above it, and not it above the cards. */
const FIRST_MESSAGES = 4;
const LOOK_EVERY_MS = SECOND / 2;
const PATIENCE_MS = 20 * SECOND;

/** Resolves when it stands in the channel: below the first cards, or after 20 s in any case. */
export async function postTour(
  slack: Pick<SimulatedSlack, 'messages' | 'say'>,
  clock: Clock,
  channel: string,
): Promise<void> {
  const latest = clock.now() + PATIENCE_MS;
  while (slack.messages(channel).length < FIRST_MESSAGES && clock.now() < latest)
    await clock.sleep(LOOK_EVERY_MS);
  slack.say({ user: GUIDE, channel, text: TOUR });
}
