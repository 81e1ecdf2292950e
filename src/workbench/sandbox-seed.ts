/**
 * The sandbox's initial contents: three channels, four overlapping filters, all kinds of setups, an agency.
 */
import { type Clock, DAY, HOUR, MINUTE, type RandomSource } from '../clock.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import { SANDBOX_TEMPLATES, seedAgency } from './sandbox-agency.ts';
import { SANDBOX_FILTERS, SandboxProjects } from './sandbox-projects.ts';
import type { SandboxTrafficPlan } from './sandbox-traffic.ts';
import type { SimulatedSlack } from './slack/simulated-slack.ts';

/** One setup per kind, so that every outcome of a bid can occur. They bid at once, to save waiting. */
const SETUPS = [
  { name: 'Fast bids', filter: 101 },
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

/** The workspace's admin. The page shows them first. */
export const SANDBOX_ADMIN = 'ada';

/** Commands that the admin runs at the start, so that the channels fill at once. */
export const STARTUP_COMMANDS = [
  { channel: 'new-projects', text: 'subscribe filter 101 backfill 3' },
  { channel: 'new-projects', text: 'subscribe invitations 301' },
  { channel: 'new-projects', text: 'subscribe outcomes 301' },
  { channel: 'new-projects', text: 'subscribe filter 103 rating:>=4' },
  { channel: 'long-term', text: 'subscribe filter "Long-term work" -wordpress' },
  { channel: 'big-ones', text: 'subscribe filter 104 spent:>5k verified:yes' },
] as const;

export function seedSlack(slack: SimulatedSlack): void {
  slack.addUser({ name: SANDBOX_ADMIN, admin: true, tz: 'Europe/Berlin' });
  slack.addUser({ name: 'ben', tz: 'America/New_York' });
  slack.addUser({ name: 'gus', guest: 'multi' });
  slack.addUser({ name: 'sam', stranger: true });
  for (const name of ['new-projects', 'long-term', 'big-ones']) slack.addChannel({ name });
}

/** Lively for a minute, so that a newcomer sees everything; near to life afterwards. */
export const SANDBOX_TRAFFIC_PLAN: SandboxTrafficPlan = {
  livelyMs: MINUTE,
  project: { livelySeconds: 9, calmSeconds: 180 },
  invitation: { livelySeconds: 45, calmSeconds: 40 * 60 },
  outcome: { livelySeconds: 25, calmSeconds: 10 * 60 },
};

const PAST_PROJECTS = 60;

/** Adds the marketplace's past. New projects start separately. */
export function seedMarketplace(
  marketplace: SimulatedMarketplace,
  clock: Clock,
  random: RandomSource,
  projects = new SandboxProjects(marketplace, clock, random),
): void {
  for (const { id, name, qualifier } of SANDBOX_FILTERS) marketplace.addFilter({ id, name, qualifier });
  for (let halfHours = PAST_PROJECTS; halfHours > 0; halfHours--)
    projects.publish({ at: clock.now() - (halfHours * HOUR) / 2 });
  for (const { id } of SANDBOX_FILTERS) marketplace.addResult({ filterId: id });
  seedAgency(marketplace, clock, random);
  const [template] = SANDBOX_TEMPLATES;
  for (const { filter, ...setup } of SETUPS) {
    const { id, name } = marketplace.filters().find((each) => each.id === filter) ?? { id: filter, name: '' };
    const when = { biddingDelayMinutes: 0, schedule: '* * * * *', scheduleLabel: 'Around the clock' };
    // Must be today, so that the setup's count for today is valid.
    const lastAt = Math.max(clock.now() - 5 * MINUTE, Math.floor(clock.now() / DAY) * DAY);
    const ran = 'totalProposalsSent' in setup ? { lastRunAt: lastAt, lastProposalAt: lastAt } : {};
    marketplace.addSetup({
      ...setup,
      ...when,
      ...ran,
      filter: { id, name },
      biddingTemplate: { id: template.id, name: template.name },
    });
  }
}
