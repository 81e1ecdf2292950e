/** Stores jobs: created by a bid, named by a refusal, or approved by a person. */

import { recordProjectAlias } from '../aliases/project-aliases.ts';
import { keepKnown } from '../base/keep-known.ts';
import type { Instant } from '../clock.ts';
import type { JobId } from '../ids.ts';
import type { CreatedJob, JobStatusReport } from '../marketplace/schema.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { correctJobProject, decideFirstStatusCheck } from './decide-job.ts';
import { hasKnownJobStatus, isJobSkipped, parseReviewState, UNKNOWN_JOB_STATUS } from './job-status-text.ts';
import { type Bid, type Job, jobs } from './records.ts';

/** Fields common to all job responses. The next status check reads how the job ended, and posts it. */
type ReportedJob = Pick<CreatedJob, 'id' | 'marketplaceJobId' | 'status' | 'statusTitle' | 'scheduledAt'> &
  Partial<Pick<CreatedJob, 'setup' | 'setupName' | 'bidAmount'>> &
  Partial<Pick<JobStatusReport, 'reason'>>;

/** A new job record, tracked from now on. */
export function buildJob(
  reported: ReportedJob,
  place: Pick<Job, 'channel' | 'home' | 'bid' | 'bidder' | 'project' | 'title'>,
  at: Instant,
): Job {
  const { channel, home, bid, bidder, project, title } = place;
  const { id, marketplaceJobId, status, statusTitle, scheduledAt, setup, setupName, bidAmount, reason } =
    reported;
  const optional = { bid, bidder, project, title, marketplaceJobId, setup, setupName, bidAmount };
  return correctJobProject({
    id,
    channel,
    home,
    status,
    readAt: at,
    knownAt: at,
    told: 0,
    ...optional,
    statusTitle,
    scheduledAt,
    reason,
    follow: followNew(reported, at),
  });
}

/**
 * Checks at once if details are missing. That is a skipped job's reason, everything of a job known only by
 * its id, or an unclear status (a new job comes without a label).
 */
function followNew(reported: ReportedJob, at: Instant): Job['follow'] {
  const isIncomplete =
    isJobSkipped(reported) || !hasKnownJobStatus(reported) || parseReviewState(reported) === 'unclear';
  if (isIncomplete) return { state: 'following', since: at, step: 0, dueAt: at };
  return decideFirstStatusCheck(reported.scheduledAt, at);
}

/** The job that a bid created, as a new record. */
export function buildJobForBid(bid: Bid, reported: ReportedJob, at: Instant): Job {
  const { setup, marketplaceJobId } = bid.request;
  const whole = keepKnown<ReportedJob>(
    { ...reported, setup, marketplaceJobId, setupName: bid.setupName },
    reported,
  );
  return buildJob(whole, { ...bid, bid: bid.id, bidder: bid.by }, at);
}

/**
 * Stores the job that a bid created. A job of another bid stays with that bid and is checked again. A job
 * known otherwise keeps its proposal, approval, request for it, application uid and news count.
 */
export async function linkJobToBid(tx: Transaction, bid: Bid, reported: ReportedJob, at: Instant) {
  const before = await tx.get(jobs, [reported.id]);
  const job = before ? linked(before, bid, reported, at) : buildJobForBid(bid, reported, at);
  await tx.put(jobs, job);
  return job;
}

function linked(before: Job, bid: Bid, reported: ReportedJob, at: Instant): Job {
  if (before.bid !== undefined && before.bid !== bid.id)
    return { ...before, follow: decideFirstStatusCheck(before.scheduledAt, at) };
  const { proposal, approval, review, knownAt, told } = before;
  const built = buildJobForBid(bid, reported, at);
  const { applicationUid = built.applicationUid } = before;
  return { ...built, proposal, approval, review, applicationUid, knownAt, told };
}

/** Stores a job known only by its id, so that the next status check shows it next to the bid. */
export async function recordJobById(tx: Transaction, bid: Bid, id: JobId, at: Instant): Promise<Job> {
  const before = await tx.get(jobs, [id]);
  if (before) return before;
  const job = buildJobFromId(bid, id, at);
  await tx.put(jobs, job);
  return job;
}

/** Without project and setup, because a refusal may name any job. The next status check finds the project. */
export function buildJobFromId({ channel, home }: Bid, id: JobId, at: Instant): Job {
  return buildJob({ id, status: UNKNOWN_JOB_STATUS }, { channel, home }, at);
}

export async function readJobOfBid(tx: ReadTransaction, bid: Bid): Promise<Job | undefined> {
  return bid.job === undefined ? undefined : tx.get(jobs, [bid.job]);
}

/**
 * A bid named its project by a uid and its job has a `~id`: both are the same project. Skipped if the bid had
 * a project id, because the marketplace then found the project by that.
 */
export async function recordBidProjectAlias(
  tx: Transaction,
  { request }: Bid,
  { marketplaceJobId: ciphertext }: Pick<Job, 'marketplaceJobId'>,
  at: Instant,
): Promise<void> {
  if (request.projectId !== undefined || ciphertext === undefined) return;
  await recordProjectAlias(tx, { uid: request.marketplaceJobId, ciphertext }, at);
}
