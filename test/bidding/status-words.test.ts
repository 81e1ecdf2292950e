import { describe, expect, it } from 'vitest';
import { isPendingReview, isSkipped, isTold, isUnderWay } from '../../src/bidding/status-words.ts';

describe('waiting for review', () => {
  it.each([
    'pending_review',
    'Pending Review',
    'PENDING-REVIEW',
    ' pending  review ',
    'pendingReview',
    'PendingReview',
  ])('is “%s”', (status) => expect(isPendingReview({ status })).toBe(true));

  it.each(['review', 'pending', 'reviewed', 'pendingreview', ''])('is not “%s”', (status) =>
    expect(isPendingReview({ status })).toBe(false),
  );

  it.each(['3', 'unknown', 'PR'])('is said by the label where the status is “%s”', (status) => {
    expect(isPendingReview({ status, statusTitle: 'Pending review' })).toBe(true);
    expect(isPendingReview({ status, statusTitle: 'Scheduled' })).toBe(false);
  });
});

it('a job is skipped by its status or its label', () => {
  expect(isSkipped({ status: 'SKIPPED' })).toBe(true);
  expect(isSkipped({ status: '4', statusTitle: 'Skipped' })).toBe(true);
  expect(isSkipped({ status: 'not skipped' })).toBe(false);
});

it('a status that was left out is not told', () => {
  expect(isTold({ status: 'unknown' })).toBe(false);
  expect(isTold({ status: 'scheduled' })).toBe(true);
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
  ])('is “%s”', (status) => expect(isUnderWay({ status })).toBe(true));

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
  ])('is not “%s”', (status) => expect(isUnderWay({ status })).toBe(false));

  it('is said by the label, too', () => {
    expect(isUnderWay({ status: '2', statusTitle: 'Scheduled for bidding' })).toBe(true);
    expect(isUnderWay({ status: 'scheduled', statusTitle: 'Cancelled' })).toBe(false);
  });
});
