/** Where a proposal stands in time. Pure. */
import type { Instant } from '../clock.ts';
import type { Proposal } from '../marketplace/schema.ts';

/** When it was submitted, or 0 where nobody said; proposals of the same moment are ordered by their ids. */
export type ProposalSortKey = readonly [submittedAt: Instant, id: number];

export function toProposalSortKey({
  submittedAt,
  id,
}: Pick<Proposal, 'submittedAt' | 'id'>): ProposalSortKey {
  return [submittedAt ?? 0, id];
}

/** Above zero when `a` is the newer one. */
export function compareProposalSortKeys(a: ProposalSortKey, b: ProposalSortKey): number {
  return a[0] - b[0] || a[1] - b[1];
}
