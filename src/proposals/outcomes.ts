/** What has become of a proposal, each once. Pure. */
import type { Instant } from '../clock.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { Outcome } from '../outbox/outcome-news.ts';
import type { ProposalChange } from './mirror.ts';

type Fate = Pick<Proposal, 'viewed' | 'interviewed' | 'hired' | 'withdrawn' | 'boostOutbid'>;

/** All that is true of it. */
export function outcomesIn(fate: Fate | undefined): readonly Outcome[] {
  if (!fate) return [];
  const { boostOutbid: outbid, ...same } = fate;
  const flags = { ...same, outbid };
  return Outcome.options.filter((each) => flags[each]);
}

function without(outcomes: readonly Outcome[], others: readonly Outcome[]): readonly Outcome[] {
  return outcomes.filter((each) => !others.includes(each));
}

/**
 * What a change brings. Of a proposal that was not known before, all that is true of it, where it was submitted at `since` or
 * later; else that is the past.
 */
export function outcomesOf(change: ProposalChange, since: Instant): readonly Outcome[] {
  return isNews(change, since) ? without(outcomesIn(change.now), outcomesIn(change.before)) : [];
}

/** Whether what is known of it by now has come about since then. */
export function isNews({ before, now }: ProposalChange, since: Instant): boolean {
  return before !== undefined || (now.submittedAt ?? Number.NEGATIVE_INFINITY) >= since;
}

/** What is true no longer: should it come again, it is no news. */
export function outcomesLost({ before, now }: ProposalChange): readonly Outcome[] {
  return without(outcomesIn(before), outcomesIn(now));
}

/** Those that nobody was told of yet. */
export function untold(outcomes: readonly Outcome[], told: readonly Outcome[]): readonly Outcome[] {
  return without(outcomes, told);
}
