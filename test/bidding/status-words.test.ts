import { describe, expect, it } from 'vitest';
import {
  hasKnownJobStatus,
  isJobInProgress,
  isJobSkipped,
  isPendingReview,
  parseReviewState,
} from '../../src/bidding/job-status-text.ts';

describe('waiting for review', () => {
  it.each([
    'pending_review',
    'Pending Review',
    'PENDING-REVIEW',
    ' pending  review ',
    'pendingReview',
    'PendingReview',
    'pending',
    'Pending (AI)',
    'in_review',
    'In review',
    'under-review',
    'awaiting_review',
    'awaitingApproval',
    'needs_review',
    'review_required',
    'Pending review (AI)',
    'Pending Review: manual',
    'Waiting for approval',
    'Review in progress',
    'Queued for review',
    'Needs review before bidding',
    'review',
  ])('is “%s”', (status) => expect(isPendingReview({ status })).toBe(true));

  it.each([
    'reviewed',
    'pendingreview',
    '',
    'Review passed',
    'review_failed',
    'Approved after review',
    'Rejected in review',
    'No review needed',
    'not in review',
    'Bidding after approval',
    'pending_bid',
    'preview',
  ])('is not “%s”', (status) => expect(isPendingReview({ status })).toBe(false));

  it('is not said by a word that the label or what happened contradicts', () => {
    expect(isPendingReview({ status: 'pending', statusTitle: 'Scheduled for bidding' })).toBe(false);
    expect(isPendingReview({ status: 'pending', statusTitle: 'Waiting for payment' })).toBe(false);
    expect(isPendingReview({ status: 'pending', applicationUid: '1' })).toBe(false);
    expect(isPendingReview({ status: '2', statusTitle: 'Pending' })).toBe(true);
  });

  it.each(['3', 'unknown', 'PR'])('is said by the label where the status is “%s”', (status) => {
    expect(isPendingReview({ status, statusTitle: 'Pending review' })).toBe(true);
    expect(isPendingReview({ status, statusTitle: 'Scheduled' })).toBe(false);
  });
});

describe('whether somebody has to approve', () => {
  it.each([
    'scheduled',
    'Scheduled for bidding',
    'approved',
    'Processing',
    'bidding',
    'in progress',
    'queued',
    'completed',
    'Proposal sent',
    'failed',
    'error',
    'skipped',
    'Cancelled by user',
    'rejected',
    'expired',
    'Review failed',
  ])('is settled by “%s”', (status) => {
    expect(parseReviewState({ status })).toBe('over');
    expect(parseReviewState({ status: '4', statusTitle: status })).toBe('over');
  });

  it.each([
    'hold',
    'On hold',
    '2',
    'unknown',
    '',
    'new',
    'AI disqualified',
    'not scheduled',
    'Waiting',
    'pending_bid',
  ])('is left open by “%s”, until something happened to the job', (status) => {
    expect(parseReviewState({ status })).toBe('unclear');
    for (const fact of ['processedAt', 'errorMessage', 'applicationUid'])
      expect(parseReviewState({ status, [fact]: 'x' })).toBe('over');
  });
});

it('a job is skipped by its status or its label', () => {
  expect(isJobSkipped({ status: 'SKIPPED' })).toBe(true);
  expect(isJobSkipped({ status: '4', statusTitle: 'Skipped' })).toBe(true);
  expect(isJobSkipped({ status: 'not skipped' })).toBe(false);
});

it('a status that was left out is not told', () => {
  expect(hasKnownJobStatus({ status: 'unknown' })).toBe(false);
  expect(hasKnownJobStatus({ status: 'scheduled' })).toBe(true);
});

describe('on its way to a proposal', () => {
  it.each([
    'scheduled',
    'scheduled_for_bidding',
    'Processing',
    'completed',
    'approved',
    'Proposal sent',
    'queued',
    'Scheduled now',
  ])('is “%s”', (status) => expect(isJobInProgress({ status })).toBe(true));

  it.each([
    'pending_review',
    'cancelled',
    'Rejected',
    'not approved',
    'unscheduled',
    'skipped',
    'Bidding stopped',
    '3',
    '',
  ])('is not “%s”', (status) => expect(isJobInProgress({ status })).toBe(false));

  it('is said by the label, too', () => {
    expect(isJobInProgress({ status: '2', statusTitle: 'Scheduled for bidding' })).toBe(true);
    expect(isJobInProgress({ status: 'scheduled', statusTitle: 'Cancelled' })).toBe(false);
  });
});
