/** Who bids in `bid-play.ts`, on what, and the messages in threads that wait for them. */
import { MINUTE, SECOND } from '../../src/clock.ts';
import { pickRandom } from '../../src/workbench/marketplace/random-draws.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { grant, OTHER_SETUP, SETUP } from './bidder.ts';
import { JOB_ENDS } from './books-troubles.ts';
import { setRules } from './spending-rules.ts';
import { postOf, type World } from './world.ts';

export const PEOPLE = ['ada', 'ben', 'cem'];
export const CHANNELS = ['web', 'data'];
export const SETUPS = [SETUP, OTHER_SETUP];
const TITLES = ['Rebuild our checkout', 'Paint our app', 'Count our stock'];

interface BidPlan {
  readonly seed: number;
  /** The channels' rules for spending; none when absent. */
  readonly rules?: Readonly<Record<string, string>>;
}

/** Setups, subscriptions, and three people who may bid in both channels. */
export async function addBidders(world: World, { seed, rules }: BidPlan): Promise<void> {
  const { marketplace, slack } = world;
  slack.addUser({ name: 'cem' });
  for (const channel of CHANNELS) slack.invite(channel, 'cem');
  for (const id of SETUPS)
    marketplace.addSetup({
      id,
      name: id === SETUP ? 'Fast setup' : 'Slow setup',
      filter: { id: 101, name: 'React work' },
      status: 'active',
      dailyProposalsLimit: 50,
      proposalsSentToday: 0,
      reviewsJobs: (seed + id) % 3 !== 0,
    });
  for (const channel of CHANNELS) await world.gig(channel, 'subscribe filter 101');
  await grant(world, ['ben', 'cem'], 'web');
  await grant(world, ['ben', 'cem'], 'data');
  await world.pass(20 * SECOND);
  for (const channel of rules ? CHANNELS : []) await setRules(world, rules ?? {}, channel);
}

/** Adds projects to the list, and waits for their cards. */
export async function publishForBids(world: World, projects: ProjectWithFilterIds[]): Promise<void> {
  for (const [place, title] of TITLES.entries()) {
    world.clock.moveBy(SECOND);
    const clientQuestions = place === 0 ? ['Which shops have you built?'] : [];
    const seed = { title, clientQuestions, usOnly: false, ukOnly: false };
    projects.push(world.marketplace.publishProject(101, seed));
  }
  const isThere = () => CHANNELS.every((it) => world.told(it).length === TITLES.length);
  await world.until('the cards', isThere, 2 * MINUTE);
}

function listThreads({ slack }: World): readonly SlackMessage[] {
  return CHANNELS.flatMap((it) => slack.messages(it).flatMap(({ ts }) => slack.thread(it, ts)));
}

/** Requests for approval. */
export function listRequests(world: World): readonly SlackMessage[] {
  return listThreads(world).filter((it) => postOf(it).startsWith('approval-request:'));
}

/** Messages about bids and approvals that wait. */
export function listHeld(world: World): readonly SlackMessage[] {
  return listThreads(world).filter((it) => postOf(it).startsWith('held:') && findPressable(it, 'Cancel'));
}

/** The marketplace advances a job, or a setup reaches its limit. @returns what it did */
export function moveJobOrSetup({ marketplace }: World, random: () => number): string {
  const scheduled = marketplace.jobs().filter(({ status }) => status === 'scheduled');
  const job = scheduled[Math.floor(random() * scheduled.length)];
  const setup = pickRandom(random, SETUPS);
  if (job && random() < 0.6) {
    const end = pickRandom(random, JOB_ENDS);
    marketplace.updateJob(job.id, end);
    return `job ${job.id} ${end.status}`;
  }
  const exhausted = pickRandom(random, [{ exhausted: 'monthly limit' as const }, {}]);
  marketplace.updateSetup(setup, { exhausted: undefined, ...exhausted } as object);
  return `setup ${setup} ${JSON.stringify(exhausted)}`;
}
