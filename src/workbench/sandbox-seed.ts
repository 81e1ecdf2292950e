/**
 * The sandbox's initial contents: three channels, four overlapping filters, all kinds of setups, an agency.
 */
import { type Clock, DAY, HOUR, MINUTE, type RandomSource } from '../clock.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import { SANDBOX_TEMPLATES, seedAgency } from './sandbox-agency.ts';
import type { SandboxTrafficPlan } from './sandbox-traffic.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';

const FILTERS = [
  { id: 101, name: 'Well-paid clients', qualifier: true },
  { id: 102, name: 'Long-term work', qualifier: false },
  { id: 103, name: 'Verified payment', qualifier: false },
  { id: 104, name: 'Anything over $5k', qualifier: true },
] as const;

/** One setup per kind, so that every outcome of a bid can occur. They bid at once, to save waiting. */
const SETUPS = [
  { name: 'Fast lane', filter: 101 },
  { name: 'Lead review', filter: 102, reviewsJobs: true },
  { name: 'On vacation', filter: 103, status: 'paused' },
  {
    name: 'Low daily limit',
    filter: 104,
    dailyProposalsLimit: 5,
    proposalsSentToday: 5,
    totalProposalsSent: 142,
  },
] as const;

/** The people of the workspace; the admin comes first. */
export const SANDBOX_PEOPLE = {
  ada: 'workspace admin',
  ben: 'member',
  gus: 'guest',
  sam: 'external member',
} as const;

/**
 * The tour's author, separate from Gigdesk, which doesn't know about the sandbox. Nobody can act as the
 * guide.
 */
export const GUIDE_USER_NAME = 'guide';

export const SANDBOX_CHANNELS = ['new-projects', 'long-term', 'big-ones'] as const;

/** Commands that run as the first person at the start, so that the channels fill at once. */
export const STARTUP_COMMANDS = [
  { channel: 'new-projects', text: 'subscribe filter 101 backfill 3' },
  { channel: 'new-projects', text: 'subscribe invitations 301' },
  { channel: 'new-projects', text: 'subscribe outcomes 301' },
  { channel: 'new-projects', text: 'subscribe filter 103 rating:>=4' },
  { channel: 'long-term', text: 'subscribe filter "Long-term work" -wordpress' },
  { channel: 'big-ones', text: 'subscribe filter 104 spent:>5k verified:yes' },
] as const;

export function seedSlack(slack: SimulatedSlack): void {
  slack.addUser({ name: 'ada', admin: true, tz: 'Europe/Berlin' });
  slack.addUser({ name: 'ben', tz: 'America/New_York' });
  slack.addUser({ name: 'gus', guest: 'multi' });
  slack.addUser({ name: 'sam', stranger: true });
  slack.addUser({ name: GUIDE_USER_NAME });
  for (const name of SANDBOX_CHANNELS) slack.addChannel({ name });
}

/** Frequent enough that each kind of event happens soon. */
export const SANDBOX_TRAFFIC_PLAN: SandboxTrafficPlan = {
  filterIds: FILTERS.map((filter) => filter.id),
  meanSecondsToProject: 20,
  meanSecondsToInvitation: 45,
  meanSecondsToOutcome: 25,
};

/** Adds the marketplace's past. New projects start separately. */
export function seedMarketplace(marketplace: SimulatedMarketplace, clock: Clock, random: RandomSource): void {
  for (const filter of FILTERS) {
    marketplace.addFilter(filter);
    for (let hours = 30; hours > 0; hours -= 2) {
      marketplace.publishProject(filter.id, { publishedAt: clock.now() - hours * HOUR });
    }
    marketplace.addResult({ filterId: filter.id });
  }
  seedAgency(marketplace, clock, random);
  for (const { filter, ...setup } of SETUPS) {
    const { id, name } = FILTERS.find((each) => each.id === filter) ?? FILTERS[0];
    const when = { biddingDelayMinutes: 0, schedule: '* * * * *', scheduleLabel: 'Around the clock' };
    // Must be today, so that the setup's count for today is valid.
    const lastAt = Math.max(clock.now() - 5 * MINUTE, Math.floor(clock.now() / DAY) * DAY);
    const ran = 'totalProposalsSent' in setup ? { lastRunAt: lastAt, lastProposalAt: lastAt } : {};
    marketplace.addSetup({
      ...setup,
      ...when,
      ...ran,
      filter: { id, name },
      biddingTemplate: SANDBOX_TEMPLATES[0],
    });
  }
}
