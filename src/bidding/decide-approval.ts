/** Decides whether an approval may be sent, and applies its response. Pure. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ApprovedJob } from '../marketplace/schema.ts';
import { type AttemptClaimDecision, toBiddingRefusal } from './decide-bid.ts';
import { parseReviewState } from './job-status-text.ts';
import type { BiddingRefusal, Job, JobApproval } from './records.ts';

/**
 * Whether the job has no approval, neither done nor in flight. An unanswered approval counts as done until a
 * status check settles it, checks fail for too long, or tracking ends.
 */
export function isApprovalOpen({ approval, follow }: Partial<Pick<Job, 'approval' | 'follow'>>): boolean {
  switch (approval?.state) {
    case undefined:
    case 'refused':
      return true;
    case 'sending':
    case 'approved':
      return false;
    case 'unknown':
      return approval?.mayRepeat === true || follow?.state === 'left';
  }
}

/** The doubt that an unanswered approval passes on to the next one. */
export function carryApprovalUncertainty(approval: JobApproval | undefined): Pick<JobApproval, 'doubt'> {
  if (approval?.state !== 'unknown') return {};
  const { by, at, audit, httpStatus } = approval;
  return { doubt: omitUndefined({ by, at, audit, httpStatus }) };
}

type Approvable = Pick<Job, 'status' | 'statusTitle' | 'approval'> &
  Partial<Pick<Job, 'follow' | 'processedAt' | 'errorMessage' | 'applicationUid'>>;

/**
 * Like `decideBidClaim`, for a job that waits for review or may wait.
 * @param seen the approval's attempt; 0: none
 * @param isFresh the job was just read; only then may an unclear status be tried
 */
export function decideApprovalClaim(
  job: Approvable,
  seen: number,
  isFresh: boolean,
): AttemptClaimDecision | { readonly kind: 'not-waiting' } {
  if (!isApprovalOpen(job) || (job.approval?.attempt ?? 0) !== seen) return { kind: 'taken' };
  const state = parseReviewState(job);
  const mayAsk = state === 'waits' || (isFresh && state === 'unclear');
  return mayAsk ? { kind: 'claim', attempt: seen + 1 } : { kind: 'not-waiting' };
}

export type ApprovalResponse =
  | { readonly kind: 'approved'; readonly job: ApprovedJob }
  | { readonly kind: 'refused'; readonly refusal: BiddingRefusal }
  /** `httpStatus` of the unclear response; missing: there was none. */
  | { readonly kind: 'unknown'; readonly httpStatus?: number };

export function classifyApprovalFailure(thrown: unknown): ApprovalResponse {
  if (!(thrown instanceof MarketplaceError)) return { kind: 'unknown' };
  if (thrown.effect === 'none') return { kind: 'refused', refusal: toBiddingRefusal(thrown) };
  return { kind: 'unknown', ...omitUndefined({ httpStatus: thrown.details.status }) };
}

/** The approval after its own response. */
export function applyApprovalResponse(asked: JobApproval, answer: ApprovalResponse): JobApproval {
  const { doubt: _, ...claimed } = asked;
  switch (answer.kind) {
    case 'approved': {
      const { approvedBy, wasAiDisqualified, qualificationReason } = answer.job;
      const overrode = wasAiDisqualified ? (qualificationReason ?? '') : undefined;
      return { ...claimed, state: 'approved', ...omitUndefined({ approvedBy, overrode }) };
    }
    case 'refused':
      return { ...claimed, state: 'refused', refusal: answer.refusal };
    case 'unknown':
      return { ...claimed, state: 'unknown', ...omitUndefined({ httpStatus: answer.httpStatus }) };
  }
}

/**
 * The job's approval after a response. After a refusal, an unanswered earlier approval stays in doubt: it may
 * be the reason for the refusal.
 */
export function resolveApproval(claimed: JobApproval, answer: ApprovalResponse): JobApproval {
  const { doubt, attempt } = claimed;
  if (answer.kind !== 'refused' || !doubt) return applyApprovalResponse(claimed, answer);
  return { ...doubt, state: 'unknown', attempt, refusal: answer.refusal, mayRepeat: true };
}
