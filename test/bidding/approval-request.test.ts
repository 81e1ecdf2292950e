import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApprovalSubject,
  canExpire,
  compareApprovalFacts,
  hasExpired,
  hashApprovalFacts,
  isReviewOpen,
  listApprovalFacts,
  needsFirstRequest,
  nextReview,
} from '../../src/bidding/approval-request.ts';
import type { JobApproval } from '../../src/bidding/records.ts';
import { HOUR } from '../../src/clock.ts';
import { ANA, BEN, listed, NOW } from '../slack/samples.ts';
import { ann, plainBid, plainJob, project, START } from './plain-records.ts';

const WAITING = { status: 'pending_review', statusTitle: 'Pending review' };
const waiting = plainJob(12, {
  ...WAITING,
  bid: plainBid(7).id,
  project,
  marketplaceJobId: project,
  setupName: 'Night shift',
  bidAmount: '500.00',
  scheduledAt: '2026-11-20T09:30:00Z',
});
const sent = plainBid(7, {
  job: waiting.id,
  request: {
    ...plainBid(7).request,
    bidAmount: 500,
    boostConnects: 10,
    coverLetter: 'Dear client',
    answers: [{ question: 'Why?', answer: 'So' }],
  },
});
const whole: ApprovalSubject = { job: waiting, bid: sent, project: listed() };

function approval(state: JobApproval['state'], change: Partial<JobApproval> = {}): JobApproval {
  return { state, by: ann, at: START, attempt: 1, audit: [START, 2], ...change };
}
const hashOf = (subject: ApprovalSubject) => hashApprovalFacts(listApprovalFacts(subject));

/** The same with one change of the bid's request. */
function asking(change: object): ApprovalSubject {
  return { ...whole, bid: { ...sent, request: { ...sent.request, ...change } } };
}

describe('what was shown', () => {
  it.each<[string, ApprovalSubject]>([
    ['the letter', asking({ coverLetter: 'Dear client!' })],
    ['the end of a long letter', asking({ coverLetter: `${'x'.repeat(4_000)}!` })],
    ['an answer', asking({ answers: [{ question: 'Why?', answer: 'Because' }] })],
    ['a question', asking({ answers: [{ question: 'Why not?', answer: 'So' }] })],
    ['the rate', asking({ bidAmount: 501 })],
    ['the boost', asking({ boostConnects: 11 })],
    ['the rate of the marketplace', { ...whole, job: { ...waiting, bidAmount: '900' } }],
    ['the job ID', { ...whole, job: { ...waiting, marketplaceJobId: '~77' } }],
    ['the project ID', asking({ projectId: 4 })],
    ['another project of the job ID', { ...whole, doubt: { kind: 'other', title: 'Paint' } }],
    ['the schedule', { ...whole, job: { ...waiting, scheduledAt: '2026-11-20T10:00:00Z' } }],
    ['the setup', { ...whole, job: { ...waiting, setupName: 'Day shift' } }],
    ['the reason of the AI', { ...whole, job: { ...waiting, reason: 'Disqualified' } }],
    ['the project', { ...whole, project: { ...listed(), title: 'Another' } }],
    ['the client', { ...whole, project: { ...listed(), client: { ...listed().client, totalHires: 999 } } }],
    ['the price', { ...whole, job: { ...waiting, review: review({ connects: 6 }) } }],
  ])('changes with %s', (_what, changed) => {
    expect(hashOf(changed)).not.toBe(hashOf(whole));
    expect(compareApprovalFacts(listApprovalFacts(whole), listApprovalFacts(changed))).toHaveLength(1);
  });

  it('changes with the time that a bid names before it has a job', () => {
    const { job: _none, ...rest } = whole;
    const at = (scheduledAt: number) => ({ ...rest, job: {}, bid: asking({ scheduledAt }).bid ?? sent });
    expect(hashOf(at(NOW + HOUR))).not.toBe(hashOf(at(NOW + 2 * HOUR)));
  });

  it('stays the same for the same moment in another format, and without any change', () => {
    const later = { ...whole, job: { ...waiting, scheduledAt: '2026-11-20 09:30:00', readAt: NOW + 1 } };
    expect(hashOf(later)).toBe(hashOf(whole));
    expect(compareApprovalFacts(listApprovalFacts(whole), listApprovalFacts(later))).toEqual([]);
  });

  it('keeps short texts of texts of any length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 10_000 }), (coverLetter) => {
        for (const { text, hash } of listApprovalFacts(asking({ coverLetter }))) {
          expect(text.length).toBeLessThanOrEqual(120);
          expect(hash).toMatch(/^[a-f\d]{16}$/u);
        }
      }),
      { numRuns: 30 },
    );
  });
});

function review(change: object = {}) {
  return { ...nextReview(whole, { at: NOW, by: ANA, hours: 24 }), ...change };
}

describe('a request', () => {
  const open = { ...waiting, review: review() };
  const rejected = { kind: 'rejected' as const, by: BEN, at: NOW, reason: 'No' };

  it('is made once, for a job that waits and that nobody tried to approve', () => {
    expect(needsFirstRequest(waiting)).toBe(true);
    expect(needsFirstRequest(plainJob(13, WAITING))).toBe(true);
    expect(needsFirstRequest(open)).toBe(false);
    expect(needsFirstRequest(plainJob(12))).toBe(false);
    expect(needsFirstRequest({ ...waiting, approval: approval('refused') })).toBe(false);
    expect(needsFirstRequest({ ...waiting, follow: { state: 'gone', at: NOW } })).toBe(false);
  });

  it('is open until it ends, is approved, or the job no longer waits', () => {
    expect(isReviewOpen(open)).toBe(true);
    expect(isReviewOpen({ ...open, approval: approval('refused') })).toBe(true);
    for (const state of ['sending', 'approved', 'unknown'] as const)
      expect(isReviewOpen({ ...open, approval: approval(state) })).toBe(false);
    expect(isReviewOpen({ ...open, review: review({ ended: rejected }) })).toBe(false);
    expect(isReviewOpen(plainJob(12, { review: review() }))).toBe(false);
    expect(isReviewOpen({ ...open, follow: { state: 'gone', at: NOW } })).toBe(false);
  });

  it('expires at its time, unless somebody answered it', () => {
    expect(hasExpired(open, NOW + 24 * HOUR - 1)).toBe(false);
    expect(hasExpired(open, NOW + 24 * HOUR)).toBe(true);
    expect(hasExpired({ ...open, review: review({ ended: rejected }) }, NOW + 25 * HOUR)).toBe(false);
    const unclear = approval('unknown', { mayRepeat: true });
    expect(isReviewOpen({ ...open, approval: unclear })).toBe(true);
    expect(canExpire({ ...open, approval: unclear })).toBe(false);
    const forever = nextReview(whole, { at: NOW, by: ANA, hours: 0 });
    expect(hasExpired({ ...open, review: forever }, NOW + 9_000 * HOUR)).toBe(false);
  });

  it('counts on, and keeps the price, when somebody asks again', () => {
    const ended = { ...whole, job: { ...waiting, review: review({ ended: rejected, connects: 6 }) } };
    const again = nextReview(ended, { at: NOW, by: BEN, hours: 24 });
    expect(again).toMatchObject({ round: 2, by: BEN, connects: 6 });
    expect(again).not.toHaveProperty('ended');
    expect(again).not.toHaveProperty('posted');
  });
});
