/** Whether a bid has reached the client or still may, and whether its connects are free again. Pure. */
import { mayBidHaveJob } from './decide-bid.ts';
import { isJobSkipped, isPendingReview } from './job-status-text.ts';
import type { Bid, Job } from './records.ts';

function wasSent({ applicationUid, proposal }: Job): boolean {
  return applicationUid !== undefined || proposal !== undefined;
}

/** Whether the job has ended without a proposal: skipped, failed, deleted, or not approved here. */
export function hasJobFailed(job: Job): boolean {
  const { errorMessage, follow, review, approval } = job;
  if (wasSent(job)) return false;
  if (isJobSkipped(job) || errorMessage) return true;
  // An approval without an answer may have sent it.
  if (approval && (approval.state === 'unknown' || approval.doubt)) return false;
  return follow.state === 'gone' || (review?.ended !== undefined && isPendingReview(job));
}

/** Whether the bid was sent, or may have been, or still may be. Canceled and refused bids weren't. */
export function isBidInPlay(bid: Bid, job: Job | undefined): boolean {
  if (bid.state !== 'created' || bid.doubtSince !== undefined) return mayBidHaveJob(bid);
  return !job || !hasJobFailed(job);
}

/**
 * Whether nothing was spent, and nothing will be without a new attempt.
 * @param bid missing: the job was made elsewhere
 * @param job the bid's, or the one from elsewhere
 */
export function hasSpentNothing(bid: Bid | undefined, job: Job | undefined): boolean {
  if (bid?.doubtSince !== undefined) return false;
  if (bid && bid.state !== 'created') return !mayBidHaveJob(bid);
  if (!job || wasSent(job)) return false;
  return hasJobFailed(job) || job.approval?.state === 'refused';
}
