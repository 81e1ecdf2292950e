/**
 * What a job's status says. The values are not documented beyond “pending review” and “skipped”, so its label counts too, and
 * neither case nor the way of writing does. Source: docs/marketplace-api.md, States and transitions. Pure.
 */

interface Told {
  readonly status: string;
  readonly statusTitle?: string | undefined;
}

/** How the marketplace's client names a status that it was not told. */
export const UNKNOWN_STATUS = 'unknown';

/** `pending_review`, `Pending review`, `PENDING-REVIEW` and `pendingReview` are the same. */
export function normalizeStatus(status: string): string {
  return status
    .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();
}

function wordsOf({ status, statusTitle = '' }: Told): readonly string[] {
  return [normalizeStatus(status), normalizeStatus(statusTitle)];
}

/** What happened to a job, whatever its words say. */
interface Happened {
  readonly processedAt?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly applicationUid?: string | undefined;
}

type Meaning = 'waits' | 'pending' | 'over' | 'other' | 'nothing';

const REVIEW = /\b(?:review|reviewing|approval|moderation)\b/u;
/** Says that the review is still to come, also where bidding is named as what follows. */
const BEFORE_REVIEW =
  /\b(?:pending|in|under|for|to|needs?|requires?|await\w*) (?:\w+ )?(?:review|approval|moderation)\b|\b(?:review|approval|moderation) (?:in progress|pending|needed|required|open)\b/u;
/** One word that could also speak of something else. */
const PENDING = /^pending(?: (?:ai|manual|human|team|admin|decision|confirmation))*$/u;
const AHEAD = /\b(?:schedul|queue|process|progress|running|bidding|submitting|sending)/u;
const ENDED =
  /\b(?:approved|sent|submitted|placed|complete|finish|done|passed|success|appli|won\b|hired|fail|error|cancel|reject|declin|deni|skip|expir|delet|remov|stop|abort|withdr|clos|archiv|duplicate)/u;
const NEGATED = /\b(?:no|not|never|without)\b/u;

function meaningOf(text: string): Meaning {
  const words = normalizeStatus(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (words === '' || words === UNKNOWN_STATUS || /^\d+$/u.test(words)) return 'nothing';
  if (NEGATED.test(words)) return 'other';
  if (ENDED.test(words)) return 'over';
  if (BEFORE_REVIEW.test(words)) return 'waits';
  if (AHEAD.test(words)) return 'over';
  if (REVIEW.test(words)) return 'waits';
  return PENDING.test(words) ? 'pending' : 'other';
}

function meaningOfBoth(meanings: readonly Meaning[]): ReviewState {
  if (meanings.includes('waits')) return 'waits';
  if (meanings.includes('over')) return 'over';
  return meanings.includes('pending') && !meanings.includes('other') ? 'waits' : 'unclear';
}

/**
 * waits: somebody has to approve the job · over: it goes on without that, or has ended · unclear: nobody can tell, so that an
 * approver may try: the API refuses what doesn't wait, without harm.
 */
export type ReviewState = 'waits' | 'over' | 'unclear';

/** No value of the state is documented, so the words of its description (“pending review”) are taken for a family. */
export function parseReviewState(job: Told & Happened): ReviewState {
  if (wordsOf(job).includes('pending review')) return 'waits';
  if (job.processedAt || job.errorMessage || job.applicationUid) return 'over';
  return meaningOfBoth([meaningOf(job.status), meaningOf(job.statusTitle ?? '')]);
}

/** Whether somebody has to approve the job. */
export function isPendingReview(job: Told & Happened): boolean {
  return parseReviewState(job) === 'waits';
}

/** Whether the marketplace has skipped the job: it will not bid. */
export function isJobSkipped(job: Told): boolean {
  return wordsOf(job).includes('skipped');
}

export function hasKnownStatus({ status }: Told): boolean {
  return normalizeStatus(status) !== UNKNOWN_STATUS;
}

/** Documented is `scheduled for bidding`; the others are how its way could go on. */
const UNDER_WAY = /\b(?:schedul|approved|queued|process|bidding|submit|sent|complete)/u;
const STOPPED = /\b(?:not?\b|cancel|reject|declin|skip|expir|delet|remov|stop|disqualif|pending)/u;

/** Whether the words say that the job is on its way to a proposal, or at its end: what waits for review gets there by an approval alone. */
export function isJobInProgress(job: Told): boolean {
  const words = wordsOf(job).join(' ');
  return !isPendingReview(job) && UNDER_WAY.test(words) && !STOPPED.test(words);
}
