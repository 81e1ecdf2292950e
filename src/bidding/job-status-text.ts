/**
 * Interprets a job's status. Only “pending review” and “skipped” are documented, so the label counts too, in
 * any case and spelling. Source: docs/marketplace-api.md, States and transitions. Pure.
 */
import type { JobStatusReport } from '../marketplace/schema.ts';

type ReportedStatus = Pick<JobStatusReport, 'status' | 'statusTitle'>;

/** The marketplace client's name for a missing status. */
export const UNKNOWN_JOB_STATUS = 'unknown';

/** `pending_review`, `Pending review`, `PENDING-REVIEW` and `pendingReview` are the same. */
export function normalizeJobStatus(status: string): string {
  return status
    .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();
}

function wordsOf({ status, statusTitle = '' }: ReportedStatus): readonly string[] {
  return [normalizeJobStatus(status), normalizeJobStatus(statusTitle)];
}

/** Facts that outweigh the status words. */
type Happened = Pick<JobStatusReport, 'processedAt' | 'errorMessage' | 'applicationUid'>;

const REVIEW = /\b(?:review|reviewing|approval|moderation)\b/u;
/** The review is still to come, even if the text names bidding as the next step. */
const BEFORE_REVIEW = new RegExp(
  String.raw`\b(?:pending|in|under|for|to|needs?|requires?|await\w*) (?:\w+ )?` +
    String.raw`(?:review|approval|moderation)\b` +
    String.raw`|\b(?:review|approval|moderation) (?:in progress|pending|needed|required|open)\b`,
  'u',
);
const PENDING = /^pending(?: (?:ai|manual|human|team|admin|decision|confirmation))*$/u;
const AHEAD = /\b(?:schedul|queue|process|progress|running|bidding|submitting|sending)/u;
const ENDED = new RegExp(
  String.raw`\b(?:approved|sent|submitted|placed|complete|finish|done|passed|success|appli|won\b|hired|fail` +
    '|error|cancel|reject|declin|deni|skip|expir|delet|remov|stop|abort|withdr|clos|archiv|duplicate)',
  'u',
);
const NEGATED = /\b(?:no|not|never|without)\b/u;

function meaningOf(text: string): 'waits' | 'pending' | 'over' | 'other' | 'nothing' {
  const words = normalizeJobStatus(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (words === '' || words === UNKNOWN_JOB_STATUS || /^\d+$/u.test(words)) return 'nothing';
  if (NEGATED.test(words)) return 'other';
  if (ENDED.test(words)) return 'over';
  if (BEFORE_REVIEW.test(words)) return 'waits';
  if (AHEAD.test(words)) return 'over';
  if (REVIEW.test(words)) return 'waits';
  return PENDING.test(words) ? 'pending' : 'other';
}

/**
 * waits: a person has to approve the job · over: the job continues without approval, or has ended · unclear:
 * an approver may try. The API refuses a job that doesn't wait, without harm. No status value is documented,
 * so similar words count like the described “pending review”.
 */
export function parseReviewState(job: ReportedStatus & Happened): 'waits' | 'over' | 'unclear' {
  if (wordsOf(job).includes('pending review')) return 'waits';
  if (job.processedAt || job.errorMessage || job.applicationUid) return 'over';
  const meanings = [meaningOf(job.status), meaningOf(job.statusTitle ?? '')];
  if (meanings.includes('waits')) return 'waits';
  if (meanings.includes('over')) return 'over';
  return meanings.includes('pending') && !meanings.includes('other') ? 'waits' : 'unclear';
}

export function isPendingReview(job: ReportedStatus & Happened): boolean {
  return parseReviewState(job) === 'waits';
}

/** Whether the marketplace skipped the job: it won't bid. */
export function isJobSkipped(job: ReportedStatus): boolean {
  return wordsOf(job).includes('skipped');
}

export function hasKnownJobStatus({ status }: ReportedStatus): boolean {
  return normalizeJobStatus(status) !== UNKNOWN_JOB_STATUS;
}

/** Only `scheduled for bidding` is documented; the others are guesses for later steps. */
const UNDER_WAY = /\b(?:schedul|approved|queued|process|bidding|submit|sent|complete)/u;
const STOPPED = /\b(?:not?\b|cancel|reject|declin|skip|expir|delet|remov|stop|disqualif|pending)/u;

/** Whether the job is on its way to a proposal, or sent. After review, only an approval leads there. */
export function isJobInProgress(job: ReportedStatus): boolean {
  const words = wordsOf(job).join(' ');
  return !isPendingReview(job) && UNDER_WAY.test(words) && !STOPPED.test(words);
}
