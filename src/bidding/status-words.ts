/**
 * What a job's status says, as far as its words are documented. The values are not, beyond the words below, so its label counts
 * too, and neither case nor the way of writing does. Source: docs/marketplace-api.md, States and transitions. Pure.
 */

interface Told {
  readonly status: string;
  readonly statusTitle?: string | undefined;
}

/** How the marketplace's client names a status that it was not told. */
export const NOT_TOLD = 'unknown';

/** `pending_review`, `Pending review`, `PENDING-REVIEW` and `pendingReview` are the same. */
export function plainWords(status: string): string {
  return status
    .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();
}

function wordsOf({ status, statusTitle = '' }: Told): readonly string[] {
  return [plainWords(status), plainWords(statusTitle)];
}

/** Whether somebody has to approve the job. */
export function isPendingReview(job: Told): boolean {
  return wordsOf(job).includes('pending review');
}

/** Whether the marketplace has skipped the job: it will not bid. */
export function isSkipped(job: Told): boolean {
  return wordsOf(job).includes('skipped');
}

export function isTold({ status }: Told): boolean {
  return plainWords(status) !== NOT_TOLD;
}

/** Documented is `scheduled for bidding`; the others are how its way could go on. */
const UNDER_WAY = /\b(?:schedul|approved|queued|process|bidding|submit|sent|complete)/u;
const STOPPED = /\b(?:not?\b|cancel|reject|declin|skip|expir|delet|remov|stop|disqualif|pending)/u;

/** Whether the words say that the job is on its way to a proposal, or at its end: what waits for review gets there by an approval alone. */
export function isUnderWay(job: Told): boolean {
  const words = wordsOf(job).join(' ');
  return UNDER_WAY.test(words) && !STOPPED.test(words);
}
