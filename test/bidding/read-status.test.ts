import { describe, expect, it } from 'vitest';
import { applyJobStatus, applyStatusFailure, decideFirstStatusCheck } from '../../src/bidding/decide-job.ts';
import type { Job } from '../../src/bidding/records.ts';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { JobStatusReport } from '../../src/marketplace/schema.ts';
import { ann, jobNumber, plainJob, START } from './plain-records.ts';

const LATER = START + 90 * SECOND;

function reading(change: Partial<JobStatusReport>): JobStatusReport {
  return { id: jobNumber(5), status: 'scheduled', ...change };
}

function newsOf(job: Partial<Job>, status: Partial<JobStatusReport>, at = LATER) {
  return applyJobStatus(plainJob(5, job), reading(status), at).news;
}

describe('a reading', () => {
  it('that says the same is no news', () => {
    expect(newsOf({}, {})).toEqual([]);
    expect(newsOf({ status: 'pending_review' }, { status: 'Pending review' })).toEqual([]);
    expect(
      newsOf({}, { retryCount: 2, statusTitle: 'Scheduled for bidding', marketplaceJobId: '~01' }),
    ).toEqual([]);
  });

  it('of another status tells it in the server’s words, known or not', () => {
    const status = { status: 'awaiting_moon', statusTitle: 'Awaiting the moon', reason: 'It is new' };
    expect(newsOf({}, status)).toEqual([{ about: 'job-changed', job: 5, ...status }]);
  });

  it('of another time tells that, and not the same time written otherwise', () => {
    const before = { scheduledAt: '2026-01-05 10:00:00' };
    expect(newsOf(before, { scheduledAt: '2026-01-05T10:00:00.250Z' })).toEqual([]);
    expect(newsOf(before, { scheduledAt: '2026-01-05T11:00:00+01:00' })).toEqual([]);
    expect(newsOf(before, { scheduledAt: '2026-01-05T10:01:00Z' })).toMatchObject([
      { about: 'job-changed', scheduledAt: '2026-01-05T10:01:00Z' },
    ]);
    expect(newsOf({ scheduledAt: 'soon' }, { scheduledAt: 'sooner' })).toHaveLength(1);
    expect(newsOf({ scheduledAt: 'soon' }, { scheduledAt: 'soon' })).toEqual([]);
    expect(newsOf(before, { scheduledAt: 'soon' })).toHaveLength(1);
    expect(newsOf({ scheduledAt: 'soon' }, before)).toHaveLength(1);
    expect(newsOf(before, { scheduledAt: '2026-01-05T10:00:01Z' })).toHaveLength(1);
    expect(newsOf(before, {})).toEqual([]);
  });

  it('of a failure or of a proposal tells that, and not the new status besides', () => {
    expect(newsOf({}, { status: 'failed', errorMessage: 'No connects' })).toEqual([
      { about: 'job-failed', job: 5, status: 'failed', errorMessage: 'No connects' },
    ]);
    expect(newsOf({}, { status: 'completed', applicationUid: '99' })).toEqual([
      { about: 'job-sent', job: 5, status: 'completed', applicationUid: '99' },
    ]);
  });

  it('of a job that was skipped tells the reason once it is known', () => {
    const skipped = { status: 'skipped', reason: 'Daily limit' };
    expect(newsOf({ status: 'skipped' }, skipped)).toMatchObject([
      { about: 'job-changed', reason: 'Daily limit' },
    ]);
    expect(newsOf(skipped, skipped)).toEqual([]);
  });

  it('replaces what was read before, and keeps what only we know', () => {
    const before = plainJob(5, { reason: 'old', errorMessage: 'old', bidAmount: '50', statusTitle: 'Old' });
    const { job } = applyJobStatus(before, reading({ status: 'queued', retryCount: 1 }), LATER);
    const { reason: _reason, errorMessage: _error, statusTitle: _title, ...kept } = before;
    expect(job).toEqual({ ...kept, status: 'queued', retryCount: 1, readAt: LATER });
  });

  it('without the application uid that was told once is of a job that was sent all the same', () => {
    const sent = applyJobStatus(
      plainJob(5),
      reading({ status: 'completed', applicationUid: '1' }),
      LATER,
    ).job;
    const half = applyJobStatus(sent, reading({ status: 'completed' }), LATER).job;
    expect(half.applicationUid).toBe('1');
    expect(applyJobStatus(half, reading({ status: 'completed', applicationUid: '1' }), LATER).news).toEqual(
      [],
    );
  });

  it('of another application uid makes the proposal that was linked another’s', () => {
    const outcomes = { viewed: true, interviewed: false, hired: false, withdrawn: false, boostOutbid: false };
    const before = plainJob(5, { applicationUid: '1', proposal: { id: 4, ...outcomes } });
    expect(applyJobStatus(before, reading({ applicationUid: '1' }), LATER).job.proposal?.id).toBe(4);
    expect(applyJobStatus(before, reading({ applicationUid: '2' }), LATER).job.proposal).toBeUndefined();
  });
});

describe('an approval without an answer', () => {
  const approval = { state: 'unknown', by: ann, at: START, attempt: 1, audit: ['T1', START, 1] } as const;
  const pending: Partial<Job> = {
    status: 'pending_review',
    approval: { ...approval, audit: [...approval.audit] },
  };

  it('was carried out when the job waits for review no longer', () => {
    const { job, news } = applyJobStatus(
      plainJob(5, pending),
      reading({ status: 'scheduled' }),
      START + SECOND,
    );
    expect(job.approval).toMatchObject({ state: 'approved', by: ann });
    expect(news).toEqual([{ about: 'job-approved', job: 5, by: ann, status: 'scheduled' }]);
  });

  it('tells what came of the job with it', () => {
    const sent = newsOf(pending, { status: 'completed', applicationUid: '9' });
    expect(sent.map(({ about }) => about)).toEqual(['job-approved', 'job-sent']);
  });

  it('was not when the job still waits a minute later, and may be asked for again', () => {
    const early = applyJobStatus(
      plainJob(5, pending),
      reading({ status: 'Pending Review' }),
      START + 59 * SECOND,
    );
    expect(early.job.approval?.state).toBe('unknown');
    expect(early.news).toEqual([]);
    const { job, news } = applyJobStatus(
      plainJob(5, pending),
      reading({ status: 'Pending Review' }),
      START + 60 * SECOND,
    );
    expect(job.approval).toMatchObject({ state: 'refused', refusal: { code: 'not-done' }, attempt: 1 });
    expect(news).toEqual([{ about: 'approval-refused', job: 5, by: ann, code: 'not-done' }]);
  });

  it('may be in flight for a minute after it went unanswered, no matter when it was requested', () => {
    const follow = decideFirstStatusCheck(undefined, START + 80 * SECOND);
    const job = plainJob(5, { ...pending, follow });
    const stateAt = (seconds: number) =>
      applyJobStatus(job, reading({ status: 'pending_review' }), START + seconds * SECOND).job.approval
        ?.state;
    expect(stateAt(139)).toBe('unknown');
    expect(stateAt(140)).toBe('refused');
  });

  it('may be repeated once the readings have failed for five minutes, until one tells', () => {
    const failed = (minutes: number, job = plainJob(5, pending)) =>
      applyStatusFailure(job, START + minutes * MINUTE);
    expect(failed(4.9).approval).toEqual(pending.approval);
    expect(failed(5).approval).toEqual({ ...pending.approval, mayRepeat: true });
    const follow = decideFirstStatusCheck(undefined, START + MINUTE);
    expect(failed(5, plainJob(5, { ...pending, follow })).approval).toEqual(pending.approval);
    expect(failed(60, plainJob(5))).toEqual(plainJob(5));
    const { job } = applyJobStatus(failed(5), reading({ status: 'scheduled' }), LATER);
    expect(job.approval).toEqual({ ...pending.approval, state: 'approved' });
  });

  it('stays open while the status is not told', () => {
    const { job } = applyJobStatus(plainJob(5, pending), reading({ status: 'unknown' }), LATER);
    expect(job.approval?.state).toBe('unknown');
  });

  it.each(['cancelled', 'rejected', 'skipped', 'expired', 'awaiting_moon'])(
    'is not told as carried out because the job is %s by now',
    (status) => {
      const { job, news } = applyJobStatus(plainJob(5, pending), reading({ status }), LATER);
      expect(job.approval?.state).toBe('unknown');
      expect(news).toMatchObject([{ about: 'job-changed', status }]);
    },
  );

  it('was carried out when the job failed at bidding, or a proposal is there', () => {
    const stateAfter = (change: Partial<JobStatusReport>) =>
      applyJobStatus(plainJob(5, pending), reading(change), LATER).job.approval?.state;
    expect(stateAfter({ status: 'failed', errorMessage: 'No connects' })).toBe('approved');
    expect(stateAfter({ status: 'beyond', applicationUid: '9' })).toBe('approved');
  });
});
