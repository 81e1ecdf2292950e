/**
 * Requests for approval in the store: opening one for a job that waits, posting it to those who may approve,
 * rejecting, expiring and asking again. Each decision is one transaction on the job, so there is one outcome.
 */
import { HOUR, type Instant } from '../clock.ts';
import type { JobId, UserId } from '../ids.ts';
import { parseProjectReference, projectReferenceId } from '../marketplace/project-key.ts';
import type { BidNews } from '../outbox/news.ts';
import { findCachedLookup } from '../projects/lookup-cache.ts';
import type { Transaction } from '../storage/store.ts';
import {
  canExpire,
  hasExpired,
  isReviewEnded,
  isReviewOpen,
  lackedSecondApproval,
  listApprovalFacts,
  needsFirstRequest,
  nextReview,
} from './approval-request.ts';
import type { ApprovalAddressees, ApprovalDecision, ApprovalOrder } from './bidding.ts';
import { isPendingReview } from './job-status-text.ts';
import { readApprovalHours } from './plan-order.ts';
import {
  approvalRequestPostId,
  markApprovalRequestsChanged,
  postInThreadAndDirectly,
  postJobNews,
  refreshMessages,
} from './post-bid-news.ts';
import { readApprovalSubject } from './read-approval-subject.ts';
import { releaseUnspentConnects } from './record-approval-response.ts';
import { type ApprovalReview, type Job, jobs } from './records.ts';

/** @param by who asks; missing: the bidder */
async function withNextRequest(tx: Transaction, job: Job, at: Instant, by?: UserId): Promise<Job> {
  const subject = await readApprovalSubject(tx, job);
  const hours = await readApprovalHours(tx, job);
  return { ...job, review: nextReview(subject, { at, by: by ?? subject.bid?.by, hours }) };
}

/** @returns the job with a request, if it waits and has none; the caller stores it in the same transaction */
export async function withApprovalRequest(tx: Transaction, job: Job, at: Instant): Promise<Job> {
  return needsFirstRequest(job) ? withNextRequest(tx, job, at) : job;
}

async function findPrice(tx: Transaction, { project, marketplaceJobId }: Job, at: Instant) {
  const reference = parseProjectReference(project ?? marketplaceJobId ?? '');
  const looked = reference && (await findCachedLookup(tx, projectReferenceId(reference), at));
  return looked?.connectsPrice;
}

/**
 * Posts a request in the job's thread and to people by direct message, once.
 * @param to who is notified, of those who may approve
 */
export async function postApprovalRequest(
  tx: Transaction,
  { id, review: seen }: Job,
  to: ApprovalAddressees,
  at: Instant,
): Promise<void> {
  const job = await tx.get(jobs, [id]);
  const { review } = job ?? {};
  if (!job || !review || review.posted || review.round !== seen?.round) return;
  const connects = review.connects ?? (await findPrice(tx, job, at));
  const priced = { ...review, posted: { at, ...to }, connects };
  const subject = await readApprovalSubject(tx, { ...job, review: priced });
  const shown = [...listApprovalFacts(subject)];
  await tx.put(jobs, { ...job, review: { ...priced, shown } });
  if (!isReviewOpen(job)) return;
  const { round } = review;
  const content = { kind: 'approval-request', job: id, round } as const;
  const idOf = (place: string) => approvalRequestPostId(id, round, place);
  await postInThreadAndDirectly(tx, job, to.direct, content, idOf, at);
}

/** Ends a request here. The marketplace doesn't learn of it: its API has no request for that. */
export async function endReview(tx: Transaction, job: Job, ended: NonNullable<ApprovalReview['ended']>) {
  const { review, id } = job;
  if (!review) return job;
  const now: Job = { ...job, review: { ...review, ended } };
  const about = { job: id, asker: review.by };
  const hours = Math.round(((review.expiresAt ?? ended.at) - review.at) / HOUR);
  await releaseUnspentConnects(tx, now, ended.at);
  const second = { second: lackedSecondApproval(now) ? (true as const) : undefined };
  const news: BidNews =
    ended.kind === 'rejected'
      ? { about: 'approval-rejected', by: ended.by, reason: ended.reason, ...about }
      : { about: 'approval-expired', hours, ...about, ...second };
  const updated = await postJobNews(tx, now, [news], ended.at);
  await tx.put(jobs, updated);
  await refreshMessages(tx, updated);
  return updated;
}

/** The request counts as rejected if its time is over. @returns the job as it is now */
export async function expireIfDue(tx: Transaction, job: Job, at: Instant): Promise<Job> {
  return hasExpired(job, at) ? endReview(tx, job, { kind: 'expired', at }) : job;
}

const EXPIRED_AT_ONCE = 20;

/** Ends every request whose time is over. @returns when the next one is; undefined: there is none */
export async function expireRequests(tx: Transaction, at: Instant): Promise<Instant | undefined> {
  const open = await tx.list(jobs, { index: 'expiring', limit: EXPIRED_AT_ONCE });
  for (const { value: job } of open) {
    const due = job.review?.expiresAt;
    if (due === undefined || due > at || !canExpire(job)) return due;
    await expireIfDue(tx, job, at);
  }
  return open.length === EXPIRED_AT_ONCE ? at : undefined;
}

/** Why a decision about a request can't be made: the job's channel changed, or the request has. */
export async function findRequest(
  tx: Transaction,
  { job: id, round, authorizedChannel }: ApprovalOrder,
  at: Instant,
): Promise<{ readonly job: Job; readonly isCurrent: boolean } | 'moved'> {
  const stored = await tx.get(jobs, [id]);
  if (!stored || stored.channel !== authorizedChannel) return 'moved';
  const job = await expireIfDue(tx, stored, at);
  return { job, isCurrent: job.review?.round === round };
}

/** Opens the next request for a job whose last one was rejected or expired. */
export async function askAgain(
  tx: Transaction,
  order: ApprovalOrder,
  at: Instant,
): Promise<ApprovalDecision> {
  const found = await findRequest(tx, order, at);
  if (found === 'moved') return { kind: 'moved' };
  const { job, isCurrent } = found;
  if (!isCurrent || !isReviewEnded(job) || !isPendingReview(job)) return { kind: 'taken', job };
  const asked = await withNextRequest(tx, job, at, order.by);
  await tx.put(jobs, asked);
  await markApprovalRequestsChanged(tx, job.id, order.round);
  await refreshMessages(tx, asked);
  return { kind: 'done', job: asked };
}

/** Adds the bid's price in connects to what the job's request shows. */
export async function recordConnectsPrice(tx: Transaction, id: JobId, connects: number): Promise<void> {
  const job = await tx.get(jobs, [id]);
  if (!job?.review) return;
  const priced: Job = { ...job, review: { ...job.review, connects } };
  await tx.put(jobs, priced);
  await refreshMessages(tx, priced);
}
