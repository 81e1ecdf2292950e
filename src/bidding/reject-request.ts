/** Rejects a request for approval, also while an approval waits to be sent. */
import type { Instant } from '../clock.ts';
import type { TeamId, UserId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import { isReviewEnded, isReviewOpen } from './approval-request.ts';
import { endReview, findRequest } from './approval-requests.ts';
import { recordRejectionAudit } from './audit-bid.ts';
import type { ApprovalDecision, ApprovalOrder } from './bidding.ts';
import { endHeldOrder, readHeldOrder } from './held-order.ts';
import type { Job } from './records.ts';

/** Ends an approval that waits: it is never sent. */
async function dropHeldApproval(tx: Transaction, job: Job, by: UserId, at: Instant): Promise<Job> {
  const order = await readHeldOrder(tx, job.team, { job: job.id });
  if (!order?.isHeld) return job;
  const { of } = await endHeldOrder(tx, order, 'canceled', at, by);
  return 'job' in of ? of.job : job;
}

/** Rejects an open request, with its audit entry and news. */
export async function rejectRequest(
  tx: Transaction,
  team: TeamId,
  order: ApprovalOrder & { readonly reason: string },
  at: Instant,
): Promise<ApprovalDecision> {
  const found = await findRequest(tx, team, order, at);
  if (found === 'moved') return { kind: 'moved' };
  const { isCurrent } = found;
  const isHeld = found.job.approval?.state === 'held' && !isReviewEnded(found.job);
  if (!isCurrent || !(isHeld || isReviewOpen(found.job))) return { kind: 'taken', job: found.job };
  const { by, reason } = order;
  const job = isHeld ? await dropHeldApproval(tx, found.job, by, at) : found.job;
  await recordRejectionAudit(tx, { team, at, by, channel: job.channel }, job, reason);
  return { kind: 'done', job: await endReview(tx, job, { kind: 'rejected', by, at, reason }) };
}
