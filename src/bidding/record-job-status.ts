/** Putting on record what was learned of a job that is followed, and telling it, each in one transaction. */
import { type Instant, type Random, SECOND } from '../clock.ts';
import { isDeepEqual } from '../feed/merge-project.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import type { BidNews } from '../outbox/bid-news.ts';
import type { Transaction } from '../storage/store.ts';
import { applyJobStatus, applyStatusFailure } from './apply-job-status.ts';
import { recordApprovalAuditResult } from './audit-bid.ts';
import type { BiddingContext } from './context.ts';
import {
  decideFirstProposalCheck,
  decideNextStatusCheck,
  findPendingProposalUid,
  isJobFinished,
  JOB_TRACKING_HOURS,
} from './job-schedule.ts';
import { recordBidProjectAlias } from './link-job.ts';
import { refreshMessages } from './post-bid-news.ts';
import { postJobNews } from './post-job-news.ts';
import { bidKey, bids, type Job, jobKey, jobs } from './records.ts';
import { resolveUncertainBid } from './resolve-uncertain-bid.ts';

const SOON_MS = 15 * SECOND;

/** What people see of a job; when it was read and is read next they don't. */
function visible({ readAt: _readAt, told: _told, follow, ...rest }: Job) {
  return { ...rest, follow: follow.state };
}

/** Stores a job that has changed, tells its news, and shows it anew where something else of it is seen. */
async function storeJobAndPostNews(
  tx: Transaction,
  before: Job,
  now: Job,
  news: readonly BidNews[],
  at: Instant,
): Promise<Job> {
  const told = await postJobNews(tx, now, news, at);
  await tx.put(jobs, jobKey(told.team, told.id), told);
  if (news.length === 0 && !isDeepEqual(visible(before), visible(told))) await refreshMessages(tx, told);
  return told;
}

/** Somebody else has learned more while the answer was on its way, or asks for an approval that will tell more. */
function isOvertaken(asked: Job, now: Job): boolean {
  return (
    now.readAt !== asked.readAt ||
    now.applicationUid !== asked.applicationUid ||
    now.approval?.attempt !== asked.approval?.attempt ||
    now.approval?.state !== asked.approval?.state ||
    now.approval?.state === 'sending'
  );
}

/** A job that is due is read a little later, without an end to how it is followed. */
async function postponed(tx: Transaction, job: Job, at: Instant): Promise<Job> {
  const { follow } = job;
  if (follow.state !== 'following' || follow.dueAt > at) return job;
  const later: Job = { ...job, follow: { ...follow, dueAt: at + SOON_MS } };
  await tx.put(jobs, jobKey(job.team, job.id), later);
  return later;
}

/** What is changed of a job, decided anew from the record as it is inside the transaction. */
type Change = (
  job: Job,
  at: Instant,
  random: Random,
) => { readonly job: Job; readonly news: readonly BidNews[] };

/**
 * Changes a job by what was learned since `asked` was read. What was overtaken changes nothing: it is read again soon.
 * @returns the job as it is on record then; undefined when it was cleared out
 * @throws StorageError
 */
export async function changeJob(
  context: BiddingContext,
  asked: Job,
  change: Change,
): Promise<Job | undefined> {
  const { store, clock } = context;
  const at = clock.now();
  // Drawn here, because an engine may run the transaction twice.
  const drawn = context.random();
  return store.transact(async (tx) => {
    const before = await tx.get(jobs, jobKey(asked.team, asked.id));
    if (!before || isOvertaken(asked, before)) return before && postponed(tx, before, at);
    const { job, news } = change(before, at, () => drawn);
    const bid = job.bid === undefined ? undefined : await tx.get(bids, bidKey(job.team, job.bid));
    if (bid && job.marketplaceJobId !== before.marketplaceJobId)
      await recordBidProjectAlias(tx, bid, job, at);
    const { approval } = job;
    if (approval && approval.state !== before.approval?.state)
      await recordApprovalAuditResult(tx, approval, job);
    return storeJobAndPostNews(tx, before, job, news, at);
  });
}

/** The news that a job is followed no further, where it has just come to that. */
function newsOfLeaving(before: Job, follow: Job['follow']): readonly BidNews[] {
  const isLeft = follow.state === 'left' && before.follow.state !== 'left';
  return isLeft ? [{ about: 'job-left', job: before.id, hours: JOB_TRACKING_HOURS }] : [];
}

/** How a job is followed after a reading: from the first pause again when its status moves. */
function followAfter(before: Job, now: Job, at: Instant, random: Random, anew: boolean): Job['follow'] {
  const { follow } = before;
  const isSent = now.applicationUid !== before.applicationUid && findPendingProposalUid(now) !== undefined;
  if (isSent) return decideFirstProposalCheck(at);
  if (anew && (follow.state === 'left' || follow.state === 'gone')) {
    return decideNextStatusCheck({ state: 'following', since: at, step: 0, dueAt: at }, now, at, random);
  }
  const moves = follow.state === 'following' && now.status !== before.status;
  return decideNextStatusCheck(moves ? { ...follow, step: 0 } : follow, now, at, random);
}

/** Settles the bid without an answer that has become the job, if there is one. @returns the job on record */
async function resolveBidOfJob(
  { store, team, clock }: BiddingContext,
  asked: Job | undefined,
  status: JobStatusReport,
): Promise<Job | undefined> {
  if (asked?.bid !== undefined) return asked;
  const at = clock.now();
  const settled = await store.transact((tx) => resolveUncertainBid(tx, team, status, at));
  return settled?.job ?? asked;
}

/**
 * Applies a reading: to the bid without an answer that it answers, and to the job.
 * @param asked the job as it was when the reading was asked for, at `notFoundAt`; undefined: not on record
 * @param anew a person asks: one that was left is followed again from now
 * @returns the job as it is on record then
 * @throws StorageError
 */
export async function recordJobStatus(
  context: BiddingContext,
  asked: Job | undefined,
  status: JobStatusReport,
  askedAt: Instant,
  anew: boolean,
): Promise<Job | undefined> {
  const known = await resolveBidOfJob(context, asked, status);
  if (!known) return undefined;
  return changeJob(context, known, (before, at, random) => {
    const { job, news } = applyJobStatus(before, status, askedAt);
    const follow = followAfter(before, job, at, random, anew);
    return { job: { ...job, follow }, news: [...news, ...newsOfLeaving(before, follow)] };
  });
}

/** The marketplace knows the job no longer: told once. Of one that had come to its end nothing more was expected. */
export function recordJobGone(context: BiddingContext, asked: Job): Promise<Job | undefined> {
  return changeJob(context, asked, (before, at) => {
    if (isJobFinished(before)) {
      const isOver = before.follow.state === 'following' && findPendingProposalUid(before) === undefined;
      return { job: isOver ? { ...before, follow: { state: 'settled', at } } : before, news: [] };
    }
    if (before.follow.state === 'gone') return { job: before, news: [] };
    const job: Job = { ...before, follow: { state: 'gone', at } };
    return { job, news: [{ about: 'job-gone', job: job.id }] };
  });
}

/** An approval is being asked for, and its answer will tell more than a reading: the job is read a little later. */
export async function postponeStatusCheck({ store, clock }: BiddingContext, job: Job): Promise<void> {
  const at = clock.now();
  await store.transact(async (tx) => {
    const now = await tx.get(jobs, jobKey(job.team, job.id));
    if (now) await postponed(tx, now, at);
  });
}

/** Nothing was learned: it is tried again after the next pause, and not before `notBefore`. No news but that it is left. */
export function recordStatusFailure(
  context: BiddingContext,
  asked: Job,
  notBefore: Instant,
): Promise<Job | undefined> {
  return changeJob(context, asked, (before, at, random) => {
    const next = decideNextStatusCheck(before.follow, before, at, random);
    const follow = next.state === 'following' ? { ...next, dueAt: Math.max(next.dueAt, notBefore) } : next;
    return { job: { ...applyStatusFailure(before, at), follow }, news: newsOfLeaving(before, follow) };
  });
}
