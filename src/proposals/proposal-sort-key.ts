/** A proposal's position in time. Pure. */
import type { Instant } from '../clock.ts';
import type { Proposal } from '../marketplace/schema.ts';

/** Submission time, or 0 if unknown. The id orders proposals of the same moment. */
export type ProposalSortKey = readonly [submittedAt: Instant, id: number];

export function toProposalSortKey({
  submittedAt,
  id,
}: Pick<Proposal, 'submittedAt' | 'id'>): ProposalSortKey {
  return [submittedAt ?? 0, id];
}

/** Positive when `a` is newer. */
export function compareProposalSortKeys(a: ProposalSortKey, b: ProposalSortKey): number {
  return a[0] - b[0] || a[1] - b[1];
}
