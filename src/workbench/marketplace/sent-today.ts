/** How many proposals a setup has sent in all, and today. The day begins at midnight UTC. Pure. */
import { DAY, type Instant } from '../../clock.ts';
import type { SimulatedSetup } from './records.ts';

/** Uses UTC days: the documentation doesn't name the time zone. */
export function isSameDay(one: Instant, other: Instant): boolean {
  return Math.floor(one / DAY) === Math.floor(other / DAY);
}

/** The stored count is valid only on the day of the last proposal. */
export function countProposalsSentToday(
  { proposalsSentToday, lastProposalAt }: SimulatedSetup,
  now: Instant,
): number {
  return lastProposalAt === undefined || isSameDay(lastProposalAt, now) ? proposalsSentToday : 0;
}

/** The setup after one more proposal. */
export function incrementProposalsSent(setup: SimulatedSetup, now: Instant): SimulatedSetup {
  return {
    ...setup,
    totalProposalsSent: setup.totalProposalsSent + 1,
    proposalsSentToday: countProposalsSentToday(setup, now) + 1,
    lastRunAt: now,
    lastProposalAt: now,
  };
}
