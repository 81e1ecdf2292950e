/** Whether a job's status says a documented word. Pure. */

/** `pending_review`, `Pending review` and `PENDING-REVIEW` are the same. */
export function plainWords(status: string): string {
  return status
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, ' ')
    .trim();
}

/**
 * The status's values are not documented beyond these words, so its label counts too, and neither case nor the way of writing
 * does. Source: docs/marketplace-api.md, States and transitions.
 */
export function isStatus(
  job: { readonly status: string; readonly statusTitle?: string | undefined },
  word: 'pending review' | 'skipped',
): boolean {
  return [job.status, job.statusTitle ?? ''].some((told) => plainWords(told) === word);
}
