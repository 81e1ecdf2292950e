/**
 * How a server may name the state in which a job waits for review, by `status` and `status_title`. The description names the
 * state (“pending review”) and shows no value, so each of these is a guess.
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
  /** Nothing in it says that somebody has to approve. */
  unclear: ['hold', 'On hold'],
} as const;

export type ReviewStatusName = keyof typeof REVIEW_STATUS_NAMES;
