/** Whether an approval may be sent, and what an answer makes of it. Pure. */
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ApprovedJob } from '../marketplace/schema.ts';
import { known } from '../marketplace/wire-values.ts';
import { type Claim, refusalOf } from './decide-bid.ts';
import type { Approval, Job, Refusal } from './records.ts';
import { isPendingReview } from './status-words.ts';

/** Like `decideBid`, for a job that waits for review as far as we know. @param seen the approval's attempt; 0: none */
export function decideApproval(
  job: Pick<Job, 'status' | 'statusTitle' | 'approval'>,
  seen: number,
): Claim | { readonly kind: 'not-waiting' } {
  const { approval } = job;
  const isTaken = approval?.state === 'sending' || approval?.state === 'approved';
  if (isTaken || (approval?.attempt ?? 0) !== seen) return { kind: 'taken' };
  return isPendingReview(job) ? { kind: 'claim', attempt: seen + 1 } : { kind: 'not-waiting' };
}

/** What came of the one request of an approval's attempt. */
export type ApprovalAnswer =
  | { readonly kind: 'approved'; readonly job: ApprovedJob }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unknown' };

export function readApprovalFailure(thrown: unknown): ApprovalAnswer {
  const isCertain = thrown instanceof MarketplaceError && thrown.effect === 'none';
  return isCertain ? { kind: 'refused', refusal: refusalOf(thrown) } : { kind: 'unknown' };
}

/** The approval as the answer leaves it. */
export function settleApproval(claimed: Approval, answer: ApprovalAnswer): Approval {
  switch (answer.kind) {
    case 'approved': {
      const { approvedBy, wasAiDisqualified, qualificationReason } = answer.job;
      const overrode = wasAiDisqualified ? (qualificationReason ?? '') : undefined;
      return { ...claimed, state: 'approved', ...known({ approvedBy, overrode }) };
    }
    case 'refused':
      return { ...claimed, state: 'refused', refusal: answer.refusal };
    case 'unknown':
      return { ...claimed, state: 'unknown' };
  }
}
