/** What a reading of a job changes, and what of it is news. Pure. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import { omitUndefined, parseInstant } from '../marketplace/wire-values.ts';
import type { BidNews } from '../outbox/bid-news.ts';
import { correctJobProject } from './job-project.ts';
import { isJobInProgress, isJobSkipped, isPendingReview, normalizeStatus } from './job-status-text.ts';
import type { Job, JobApproval } from './records.ts';

/** The code of an approval of which no answer came, and which turned out not to have been carried out. */
export const APPROVAL_NOT_DONE = 'not-done';

/** An approval without an answer may be on its way for so long: until then a job that still waits proves nothing. */
const ON_ITS_WAY_MS = MINUTE;

/** For so long people wait for a reading that fails; what came of an approval before the next they are then to find out themselves. */
const UNREAD_MS = 5 * MINUTE;

/** What is told with every news of a job's state. */
export function pickJobState(job: Job) {
  const { id, status, statusTitle, scheduledAt, reason } = job;
  return omitUndefined({ job: id, status, statusTitle, scheduledAt, reason });
}

/** The job as the reading has it: what the reading does not hold is not so any more. */
function asRead(job: Job, read: JobStatusReport, at: Instant): Job {
  const {
    statusTitle: _title,
    scheduledAt: _scheduledAt,
    reason: _reason,
    processedAt: _processedAt,
    errorMessage: _error,
    retryCount: _retries,
    applicationUid: _uid,
    proposal,
    ...kept
  } = job;
  const { status, statusTitle, scheduledAt, reason, processedAt, errorMessage, retryCount } = read;
  // What was sent stays sent.
  const { applicationUid = job.applicationUid, marketplaceJobId = job.marketplaceJobId } = read;
  const isOtherProposal = applicationUid !== undefined && applicationUid !== job.applicationUid;
  return correctJobProject({
    ...kept,
    status,
    readAt: at,
    ...omitUndefined({
      marketplaceJobId,
      statusTitle,
      scheduledAt,
      reason,
      processedAt,
      errorMessage,
      retryCount,
      applicationUid,
      proposal: isOtherProposal ? undefined : proposal,
    }),
  });
}

/** The server writes the same moment in more than one way. One that is not told any more is no news. */
function isRescheduled(before: string | undefined, now: string | undefined): boolean {
  if (now === undefined || before === now) return false;
  const from = parseInstant(before);
  const to = parseInstant(now);
  return from === undefined || to === undefined || Math.abs(to - from) >= SECOND;
}

function isChanged(before: Job, now: Job): boolean {
  return (
    normalizeStatus(now.status) !== normalizeStatus(before.status) ||
    isRescheduled(before.scheduledAt, now.scheduledAt) ||
    (isJobSkipped(now) && now.reason !== undefined && now.reason !== before.reason)
  );
}

/** An approval alone leads there. What was cancelled or skipped may have come to that without one. */
function hasPassedReview(job: Job): boolean {
  return Boolean(job.applicationUid || job.errorMessage) || isJobInProgress(job);
}

/**
 * An approval without an answer, decided by what the job has become since. undefined: that is still open.
 * One that was not carried out is refused with the code `not-done`: the person may press again.
 */
function decideApproval(before: Job, now: Job, at: Instant): JobApproval | undefined {
  const { approval, follow } = before;
  if (approval?.state !== 'unknown') return undefined;
  const { refusal: _, mayRepeat: __, ...rest } = approval;
  if (!isPendingReview(now)) return hasPassedReview(now) ? { ...rest, state: 'approved' } : undefined;
  if (at < unansweredAt(approval, follow) + ON_ITS_WAY_MS) return undefined;
  return { ...rest, state: 'refused', refusal: { code: APPROVAL_NOT_DONE } };
}

/** It was claimed, waited at the gate, and went without an answer, with which a round of readings began. */
function unansweredAt({ at }: JobApproval, follow: Job['follow']): Instant {
  return follow.state === 'following' ? Math.max(at, follow.since) : at;
}

/** The job after a reading that failed: an approval without an answer that can't be settled for long may be repeated by a person. */
export function applyStatusFailure(job: Job, at: Instant): Job {
  const { approval, follow } = job;
  if (approval?.state !== 'unknown' || at < unansweredAt(approval, follow) + UNREAD_MS) return job;
  return { ...job, approval: { ...approval, mayRepeat: true } };
}

function newsOfApproval(job: Job, approval: JobApproval): BidNews {
  const { by, overrode } = approval;
  return approval.state === 'approved'
    ? { about: 'job-approved', by, ...omitUndefined({ overrode }), ...pickJobState(job) }
    : { about: 'approval-refused', by, job: job.id, code: APPROVAL_NOT_DONE };
}

/** Each change is one news, and of several at once only those that tell more than that something changed. */
function newsOf(before: Job, now: Job, decided: JobApproval | undefined): readonly BidNews[] {
  const state = pickJobState(now);
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
 * Applies a reading to a job. Nothing is news that people don't see; statuses are passed on in the server's words.
 * @param at when the reading was asked for
 * @returns the job as read (how it is followed and what it was told stay as they were), and what its thread is to be told, in order
 */
export function applyJobStatus(
  job: Job,
  status: JobStatusReport,
  at: Instant,
): { readonly job: Job; readonly news: readonly BidNews[] } {
  const read = asRead(job, status, at);
  const decided = decideApproval(job, read, at);
  return {
    job: decided ? { ...read, approval: decided } : read,
    news: newsOf(job, read, decided),
  };
}
