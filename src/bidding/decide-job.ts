/**
 * Decides what a status check changes in a job, what of it is news, when the next check is due, and which
 * project a job is for. Pure.
 */

import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import { HOUR, type Instant, MINUTE, type RandomSource, SECOND } from '../clock.ts';
import { ProjectKey } from '../ids.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import { parseInstant } from '../marketplace/wire/values.ts';
import type { BidNews } from '../outbox/news.ts';
import { isJobInProgress, isJobSkipped, isPendingReview, normalizeJobStatus } from './job-status-text.ts';
import type { Bid, Job, JobApproval } from './records.ts';

/** Refusal code for an unanswered approval that turns out not to have taken effect. */
export const APPROVAL_NOT_DONE_CODE = 'not-done';

/** An unanswered approval may still arrive within this time. Until then a waiting job proves nothing. */
const ON_ITS_WAY_MS = MINUTE;

/** After this time of failed status checks, the person may approve again and find out that way. */
const UNREAD_MS = 5 * MINUTE;

/** Included with every news of a job's state. */
export function pickJobStateFields(job: Job) {
  const { id, status, statusTitle, scheduledAt, reason } = job;
  return { job: id, status, statusTitle, scheduledAt, reason };
}

/** The job as the check reports it: optional fields that are missing now are cleared. */
function asRead(job: Job, read: JobStatusReport, at: Instant): Job {
  const { status, statusTitle, scheduledAt, reason, processedAt, errorMessage, retryCount } = read;
  // A job that was sent stays sent.
  const { applicationUid = job.applicationUid, marketplaceJobId = job.marketplaceJobId } = read;
  const isOtherProposal = applicationUid !== undefined && applicationUid !== job.applicationUid;
  const reported = { status, statusTitle, scheduledAt, reason, processedAt, errorMessage, retryCount };
  return correctJobProject({
    ...job,
    ...reported,
    applicationUid,
    marketplaceJobId,
    proposal: isOtherProposal ? undefined : job.proposal,
    readAt: at,
  });
}

/** The server writes the same time in several formats. A time that disappears isn't news. */
function isRescheduled(before: string | undefined, now: string | undefined): boolean {
  if (now === undefined || before === now) return false;
  const from = parseInstant(before);
  const to = parseInstant(now);
  return from === undefined || to === undefined || Math.abs(to - from) >= SECOND;
}

function isChanged(before: Job, now: Job): boolean {
  return (
    normalizeJobStatus(now.status) !== normalizeJobStatus(before.status) ||
    isRescheduled(before.scheduledAt, now.scheduledAt) ||
    (isJobSkipped(now) && now.reason !== undefined && now.reason !== before.reason)
  );
}

/** Only an approval leads there. A cancelled or skipped job may never have been approved. */
function hasPassedReview(job: Job): boolean {
  return Boolean(job.applicationUid || job.errorMessage) || isJobInProgress(job);
}

/**
 * Decides an unanswered approval by the job's status since; undefined: still open. If it didn't take effect
 * it is refused with the code `not-done`, so the person may press again.
 */
function decideApproval(before: Job, now: Job, at: Instant): JobApproval | undefined {
  const { approval, follow } = before;
  if (approval?.state !== 'unknown') return undefined;
  const { refusal: _, mayRepeat: __, ...rest } = approval;
  if (!isPendingReview(now)) return hasPassedReview(now) ? { ...rest, state: 'approved' } : undefined;
  if (at < unansweredAt(approval, follow) + ON_ITS_WAY_MS) return undefined;
  return { ...rest, state: 'refused', refusal: { code: APPROVAL_NOT_DONE_CODE } };
}

/** The approval was claimed first and became unanswered later, when a round of checks began. */
function unansweredAt({ at }: JobApproval, follow: Job['follow']): Instant {
  return follow.state === 'following' ? Math.max(at, follow.since) : at;
}

/** The job after a failed status check. After too many, a person may repeat an unanswered approval. */
export function applyStatusFailure(job: Job, at: Instant): Job {
  const { approval, follow } = job;
  if (approval?.state !== 'unknown' || at < unansweredAt(approval, follow) + UNREAD_MS) return job;
  return { ...job, approval: { ...approval, mayRepeat: true } };
}

function newsOfApproval(job: Job, approval: JobApproval): BidNews {
  const { by, overrode } = approval;
  return approval.state === 'approved'
    ? { about: 'job-approved', by, overrode, ...pickJobStateFields(job) }
    : { about: 'approval-refused', by, job: job.id, code: APPROVAL_NOT_DONE_CODE };
}

/** One news per change; `job-changed` only if no other news covers it. */
function newsOf(before: Job, now: Job, decided: JobApproval | undefined): readonly BidNews[] {
  const state = pickJobStateFields(now);
  const { applicationUid, errorMessage } = now;
  const news: BidNews[] = decided ? [newsOfApproval(now, decided)] : [];
  if (applicationUid !== undefined && applicationUid !== before.applicationUid) {
    news.push({ about: 'job-sent', ...state, applicationUid });
  }
  if (errorMessage !== undefined && errorMessage !== before.errorMessage) {
    news.push({ about: 'job-failed', ...state, errorMessage });
  }
  const isTold = news.some(({ about }) => about !== 'approval-refused');
  if (!isTold && isChanged(before, now)) news.push({ about: 'job-changed', ...state });
  return news;
}

/**
 * Applies a status check to a job. Only visible changes are news; statuses keep the server's words.
 * @param at when the check was sent
 * @returns the job as read (tracking state and posted news unchanged), and the news for its thread, in order
 */
export function applyJobStatus(job: Job, status: JobStatusReport, at: Instant) {
  const read = asRead(job, status, at);
  const decided = decideApproval(job, read, at);
  return { job: decided ? { ...read, approval: decided } : read, news: newsOf(job, read, decided) };
}

/** Pauses before the first check of a round, the second and so on; the last one repeats. */
const PAUSES_MINUTES = [0.25, 0.5, 1, 2, 5, 10, 20, 30] as const;
const LONGEST_PAUSE_MINUTES = 30;

/** Pauses vary by up to this share, so that jobs created together don't stay in step. */
const JITTER = 0.1;

/** A job with a distant date is still checked now and then: people approve and cancel elsewhere, too. */
const LONGEST_WAIT_MS = 6 * HOUR;

/** The first check shows whether a job waits for review, so it isn't delayed longer than this. */
const LONGEST_FIRST_WAIT_MS = 2 * MINUTE;

/** No job is due later than this from its last decision. A later one was stored by a wrong clock. */
export const MAX_JOB_CHECK_DELAY_MS = LONGEST_WAIT_MS * (1 + JITTER);

/** Hours of tracking for an unsettled job, from the round's start or the scheduled date if that is later. */
export const JOB_TRACKING_HOURS = 48;

const PROPOSAL_SOUGHT_MS = 24 * HOUR;

type Follow = Job['follow'];
type Following = Extract<Follow, { state: 'following' }>;

/** Whether a job is finished: processed, failed, sent as a proposal, or skipped. */
export function isJobFinished(job: Job): boolean {
  const { processedAt, errorMessage, applicationUid } = job;
  return Boolean(processedAt || errorMessage || applicationUid) || isJobSkipped(job);
}

/** The application uid of a job's proposal that hasn't been read yet. */
export function findPendingProposalUid(job: Job): string | undefined {
  return job.proposal ? undefined : job.applicationUid || undefined;
}

/** @param scheduledAt in the server's format: ISO 8601 or `Y-m-d H:i:s`, read as UTC; if invalid, ignored */
export function decideFirstStatusCheck(scheduledAt: string | undefined, at: Instant): Following {
  const scheduled = parseInstant(scheduledAt) ?? at;
  const wait = Math.min(Math.max(0, scheduled - at), LONGEST_FIRST_WAIT_MS);
  return { state: 'following', since: at, step: 0, dueAt: at + wait + PAUSES_MINUTES[0] * MINUTE };
}

function jittered(ms: number, random: RandomSource): number {
  return Math.round(ms * (1 - JITTER + 2 * JITTER * random()));
}

function pauseBefore(step: number, random: RandomSource): number {
  return jittered((PAUSES_MINUTES[step] ?? LONGEST_PAUSE_MINUTES) * MINUTE, random);
}

/** The next check after a growing pause, at the latest at `end`; from then on `ended`. */
function goOn(
  follow: Following,
  at: Instant,
  random: RandomSource,
  end: Instant,
  ended: 'left' | 'settled',
): Follow {
  if (at >= end) return { state: ended, at };
  const step = follow.step + 1;
  const dueAt = Math.min(at + pauseBefore(step, random), end);
  return { state: 'following', since: follow.since, step, dueAt };
}

/**
 * The tracking state after a status check or a failed one.
 * @param follow the state before; a job that isn't tracked stays untracked
 * @param job as it is now
 * @param random decides the jitter
 */
export function decideNextStatusCheck(follow: Follow, job: Job, at: Instant, random: RandomSource): Follow {
  if (follow.state !== 'following') return follow;
  if (isJobFinished(job)) {
    if (findPendingProposalUid(job) === undefined) return { state: 'settled', at };
    return goOn(follow, at, random, follow.since + PROPOSAL_SOUGHT_MS, 'settled');
  }
  const scheduled = parseInstant(job.scheduledAt);
  if (scheduled !== undefined && scheduled > at && !isPendingReview(job)) {
    // Shortly after its date, then with growing pauses from the first.
    const afterIt = scheduled + pauseBefore(0, random);
    const dueAt = Math.min(afterIt, at + jittered(LONGEST_WAIT_MS, random));
    return { state: 'following', since: follow.since, step: 0, dueAt };
  }
  const from = Math.max(follow.since, scheduled ?? follow.since);
  return goOn(follow, at, random, from + JOB_TRACKING_HOURS * HOUR, 'left');
}

/** A marketplace job id of digits, with or without a tilde, is its project's key. */
export function toProjectKey(marketplaceJobId: string | undefined): ProjectKey | undefined {
  const digits = removeJobIdTilde(marketplaceJobId ?? '');
  return /^\d{1,40}$/u.test(digits) ? ProjectKey.parse(`~${digits}`) : undefined;
}

/** Two different keys of this form are certainly two projects; a uid may belong to either. */
const CERTAIN = /^~\d{1,40}$/u;

/**
 * The job with the project that the marketplace names. A bid's job keeps the bid's project until the
 * marketplace names another `~id`, whose title is unknown here. A job without a bid has no project while the
 * marketplace names only a uid.
 */
export function correctJobProject<T extends Pick<Job, 'project' | 'title' | 'marketplaceJobId' | 'bid'>>(
  job: T,
): T {
  const { project, marketplaceJobId } = job;
  if (!marketplaceJobId) return job;
  if (!project) {
    const isKnown = job.bid === undefined && CERTAIN.test(marketplaceJobId);
    return isKnown ? { ...job, project: ProjectKey.parse(marketplaceJobId) } : job;
  }
  if (removeJobIdTilde(project) === removeJobIdTilde(marketplaceJobId) || !CERTAIN.test(project)) return job;
  const { title: _title, project: _project, ...rest } = job;
  if (CERTAIN.test(marketplaceJobId)) return { ...rest, project: ProjectKey.parse(marketplaceJobId) } as T;
  return job.bid === undefined ? (rest as T) : job;
}

/** Whether a bid's job, created or blocking, is known to be for the bid's own project. */
export function isJobForBidProject(bid: Pick<Bid, 'project'>, job: Pick<Job, 'project'>): boolean {
  return job.project === bid.project;
}

/** Whether the job is known to be for another project. */
export function isJobForOtherProject(bid: Pick<Bid, 'project'>, job: Pick<Job, 'project'> | undefined) {
  const both = [bid.project, job?.project ?? ''];
  return both.every((project) => CERTAIN.test(project)) && bid.project !== job?.project;
}
