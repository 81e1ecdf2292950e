/** What has become of a proposal, each once. Pure. */
import type { Instant } from '../clock.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { ProposalOutcome } from '../outbox/outcome-news.ts';
import type { ProposalChange } from './mirror.ts';

type OutcomeFlags = Pick<Proposal, 'viewed' | 'interviewed' | 'hired' | 'withdrawn' | 'boostOutbid'>;

/** All that is true of it. */
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
 * What a change brings. Of a proposal that was not known before, all that is true of it, where it was submitted at `since` or
 * later; else that is the past.
 */
export function listNewOutcomes(change: ProposalChange, since: Instant): readonly ProposalOutcome[] {
  return isChangeNews(change, since)
    ? without(listReachedOutcomes(change.now), listReachedOutcomes(change.before))
    : [];
}

/** Whether what is known of it by now has come about since then. */
export function isChangeNews({ before, now }: ProposalChange, since: Instant): boolean {
  return before !== undefined || (now.submittedAt ?? Number.NEGATIVE_INFINITY) >= since;
}

/** What is true no longer: should it come again, it is no news. */
export function listLostOutcomes({ before, now }: ProposalChange): readonly ProposalOutcome[] {
  return without(listReachedOutcomes(before), listReachedOutcomes(now));
}

/** Those that nobody was told of yet. */
export function excludePostedOutcomes(
  outcomes: readonly ProposalOutcome[],
  told: readonly ProposalOutcome[],
): readonly ProposalOutcome[] {
  return without(outcomes, told);
}
