/**
 * How a server may name the status of a job that waits for review, in `status` and `status_title`. The
 * documentation names the state (“pending review”) but shows no value, so each of these is a guess.
 */
export const REVIEW_STATUS_NAMES = {
  usual: ['pending_review', 'Pending review'],
  pending: ['pending', 'Pending'],
  'in review': ['in_review', 'In review'],
  awaiting: ['awaiting-review', 'Awaiting review'],
  needs: ['needsReview', 'Needs review'],
  approval: ['pending_approval', 'Waiting for approval'],
  'by the AI': ['PENDING REVIEW (AI)', 'Pending review (AI)'],
  'in the label': ['2', 'Pending Review: manual'],
  /** This name doesn't say that the job needs approval. */
  unclear: ['hold', 'On hold'],
} as const;

export type ReviewStatusName = keyof typeof REVIEW_STATUS_NAMES;
