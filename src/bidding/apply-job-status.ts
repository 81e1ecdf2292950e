/** Applies a status check to a job and decides which changes are news. Pure. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import { parseInstant } from '../marketplace/wire/values.ts';
import type { BidNews } from '../outbox/news.ts';
import { correctJobProject } from './job-project.ts';
import { isJobInProgress, isJobSkipped, isPendingReview, normalizeJobStatus } from './job-status-text.ts';
import type { Job, JobApproval } from './records.ts';

/** Refusal code for an unanswered approval that turns out not to have taken effect. */
export const APPROVAL_NOT_DONE_CODE = 'not-done';

/** An unanswered approval may still arrive within this time. Until then a waiting job proves nothing. */
const ON_ITS_WAY_MS = MINUTE;

/** After this time of failed status checks, the person may approve again and find out that way. */
const UNREAD_MS = 5 * MINUTE;

/** Included with every news of a job's state. */
export function pickJobStateFields(job: Job) {
  const { id, status, statusTitle, scheduledAt, reason } = job;
  return omitUndefined({ job: id, status, statusTitle, scheduledAt, reason });
}

/** The job as the check reports it: optional fields that are missing now are cleared. */
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
  // A job that was sent stays sent.
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
    ? { about: 'job-approved', by, ...omitUndefined({ overrode }), ...pickJobStateFields(job) }
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
