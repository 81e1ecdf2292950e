/** The outcomes of a proposal, each once. Pure. */
import type { Instant } from '../clock.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { ProposalOutcome } from '../outbox/news.ts';
import type { ProposalChange } from './mirror.ts';

type OutcomeFlags = Pick<Proposal, 'viewed' | 'interviewed' | 'hired' | 'withdrawn' | 'boostOutbid'>;

export function listReachedOutcomes(fate: OutcomeFlags | undefined): readonly ProposalOutcome[] {
  if (!fate) return [];
  const { boostOutbid: outbid, ...same } = fate;
  const flags = { ...same, outbid };
  return ProposalOutcome.options.filter((each) => flags[each]);
}

function without(
  outcomes: readonly ProposalOutcome[],
  others: readonly ProposalOutcome[],
): readonly ProposalOutcome[] {
  return outcomes.filter((each) => !others.includes(each));
}

/**
 * The outcomes that a change brings. For a new proposal submitted at or after `since`, these are all its
 * outcomes; for an older one, none.
 */
export function listNewOutcomes(change: ProposalChange, since: Instant): readonly ProposalOutcome[] {
  return isProposalChangeNews(change, since)
    ? without(listReachedOutcomes(change.now), listReachedOutcomes(change.before))
    : [];
}

export function isProposalChangeNews({ before, now }: ProposalChange, since: Instant): boolean {
  return before !== undefined || (now.submittedAt ?? Number.NEGATIVE_INFINITY) >= since;
}

/** Outcomes that are no longer true: if they return, they aren't news. */
export function listLostOutcomes({ before, now }: ProposalChange): readonly ProposalOutcome[] {
  return without(listReachedOutcomes(before), listReachedOutcomes(now));
}

export function excludePostedOutcomes(
  outcomes: readonly ProposalOutcome[],
  told: readonly ProposalOutcome[],
): readonly ProposalOutcome[] {
  return without(outcomes, told);
}
