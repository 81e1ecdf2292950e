/** Sends the one request of a claimed approval, and stores its answer. */
import { asError } from '../errors.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { BiddingContext, WithAttempts } from './bidding.ts';
import { type ApprovalResponse, classifyApprovalFailure } from './decide-bid.ts';
import { applyApprovalToJob, recordApprovalResponse } from './record-approval-response.ts';
import type { Job, JobApproval } from './records.ts';

/** @param approval as claimed, in state `sending`, within `attempts.approvals.run` */
export function sendClaimedApproval(
  { attempts, marketplace, log }: BiddingContext & WithAttempts,
  claimed: Job,
  approval: JobApproval,
): Promise<Job> {
  const { id } = claimed;
  return attempts.approvals.askOnce<ApprovalResponse, Job>(id, {
    ask: async () => ({ kind: 'approved', job: (await marketplace.approveJob(id, { lane: 'bid' })).job }),
    classify: (thrown) => {
      if (!(thrown instanceof MarketplaceError))
        log.error('Approval failed because of an internal error', { job: id, error: asError(thrown) });
      return classifyApprovalFailure(thrown);
    },
    record: (tx, answer, at) => recordApprovalResponse(tx, claimed, approval, answer, at),
    apply: (answer, at) => applyApprovalToJob(claimed, approval, answer, at),
  });
}
