/** How many proposals a setup has sent: in all, and on this day, which begins at midnight UTC. Pure. */
import { DAY, type Instant } from '../../clock.ts';
import type { SimulatedSetup } from './records.ts';

/** @returns whether both are on one day; nothing documents whose day counts, so it is UTC's */
export function isSameDay(one: Instant, other: Instant): boolean {
  return Math.floor(one / DAY) === Math.floor(other / DAY);
}

/** What was said to be sent today stands until another day than that of the last proposal. */
export function countSentToday({ proposalsSentToday, lastProposalAt }: SimulatedSetup, now: Instant): number {
  return lastProposalAt === undefined || isSameDay(lastProposalAt, now) ? proposalsSentToday : 0;
}

/** The setup after one proposal more. */
export function incrementSentCount(setup: SimulatedSetup, now: Instant): SimulatedSetup {
  return {
    ...setup,
    totalProposalsSent: setup.totalProposalsSent + 1,
    proposalsSentToday: countSentToday(setup, now) + 1,
    lastRunAt: now,
    lastProposalAt: now,
  };
}
