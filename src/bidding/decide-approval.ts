/** Whether an approval may be sent, and what an answer makes of it. Pure. */
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ApprovedJob } from '../marketplace/schema.ts';
import { omitUndefined } from '../marketplace/wire-values.ts';
import { type BidClaimDecision, toBiddingRefusal } from './decide-bid.ts';
import { parseReviewState } from './job-status-text.ts';
import type { BiddingRefusal, Job, JobApproval } from './records.ts';

/**
 * Whether nobody has approved the job, or is about to. What became of an approval without an answer a reading tells: until then
 * it counts as carried out, unless the readings have failed for long or have come to their end.
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

/** What an approval leaves to the next one. */
export function carryApprovalUncertainty(approval: JobApproval | undefined): Pick<JobApproval, 'doubt'> {
  if (approval?.state !== 'unknown') return {};
  const { by, at, audit, httpStatus } = approval;
  return { doubt: omitUndefined({ by, at, audit, httpStatus }) };
}

type Approvable = Pick<Job, 'status' | 'statusTitle' | 'approval'> &
  Partial<Pick<Job, 'follow' | 'processedAt' | 'errorMessage' | 'applicationUid'>>;

/**
 * Like `decideBid`, for a job that waits for review as far as we know, or may.
 * @param seen the approval's attempt; 0: none @param isFresh the job was just read: only then may an approval be tried
 */
export function decideApproval(
  job: Approvable,
  seen: number,
  isFresh: boolean,
): BidClaimDecision | { readonly kind: 'not-waiting' } {
  if (!isApprovalOpen(job) || (job.approval?.attempt ?? 0) !== seen) return { kind: 'taken' };
  const state = parseReviewState(job);
  const mayAsk = state === 'waits' || (isFresh && state === 'unclear');
  return mayAsk ? { kind: 'claim', attempt: seen + 1 } : { kind: 'not-waiting' };
}

/** What came of the one request of an approval's attempt. */
export type ApprovalResponse =
  | { readonly kind: 'approved'; readonly job: ApprovedJob }
  | { readonly kind: 'refused'; readonly refusal: BiddingRefusal }
  /** `httpStatus`: of the answer that left it open; missing: nothing came. */
  | { readonly kind: 'unknown'; readonly httpStatus?: number };

export function classifyApprovalFailure(thrown: unknown): ApprovalResponse {
  if (!(thrown instanceof MarketplaceError)) return { kind: 'unknown' };
  if (thrown.effect === 'none') return { kind: 'refused', refusal: toBiddingRefusal(thrown) };
  return { kind: 'unknown', ...omitUndefined({ httpStatus: thrown.details.status }) };
}

/** The approval as its own answer leaves it. */
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

/** What stands of a job's approvals after an answer. A refusal leaves the one before in doubt: the job's state may be why. */
export function resolveApproval(claimed: JobApproval, answer: ApprovalResponse): JobApproval {
  const { doubt, attempt } = claimed;
  if (answer.kind !== 'refused' || !doubt) return applyApprovalResponse(claimed, answer);
  return { ...doubt, state: 'unknown', attempt, refusal: answer.refusal, mayRepeat: true };
}
