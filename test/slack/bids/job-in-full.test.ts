import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobDetailsMessage, jobProposalMessage } from '../../../src/slack/bids/job-details.ts';
import { approvalOutcomeText, noSuchJobMessage } from '../../../src/slack/bids/jobs.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { expectHarmless } from '../harmless.ts';
import { presses } from '../kit/as-text.ts';
import { BEN, NOW } from '../samples.ts';
import { anyJob, bid, foreignJob, HOSTILE, linked, WAITING } from './bidding-samples.ts';

const words = fc.constantFrom(...HOSTILE);

describe('whatever the marketplace wrote of a job', () => {
  it('the job in full is harmless and within the limits', () => {
    const around = fc.record({
      title: words,
      url: words,
      decision: fc.oneof(words, fc.constant('disqualified')),
      reason: words,
      trouble: fc.constantFrom('network', 'not-found', 'of-another-version'),
    });
    fc.assert(
      fc.property(anyJob, around, (job, { title, url, decision, reason, trouble }) => {
        const verdict = { decision, reason, other: {} };
        const opening = approvalOutcomeText({ kind: 'taken', job }, BEN);
        for (const more of [
          {},
          { project: { title, url, verdict } },
          { bid: { ...bid({ title, url }), by: BEN }, trouble },
        ]) {
          const subject = { job, ...('bid' in more ? { bid: more.bid } : {}) };
          const facts = { state: job, subject, readAt: NOW, ...more };
          expectHarmless(jobDetailsMessage({ ...facts, job }));
          expectHarmless(jobDetailsMessage(facts, opening));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('the answers to a press are, too', () => {
    const kinds = fc.constantFrom<'asked' | 'taken' | 'not-waiting'>('asked', 'taken', 'not-waiting');
    fc.assert(
      fc.property(anyJob, kinds, (job, kind) => {
        expectHarmless({ text: approvalOutcomeText({ kind, job }, BEN) });
        expectHarmless(noSuchJobMessage(job.id, job));
        expectHarmless(jobProposalMessage(job, linked({ connects: 1e15, boost: 1e15, position: 1e15 })));
      }),
    );
  });
});

describe('Approve in an answer of one’s own', () => {
  it('is not offered for a job that the marketplace knows no longer', () => {
    const gone = foreignJob({ ...WAITING, follow: { state: 'gone', at: NOW } });
    expect(
      presses(jobDetailsMessage({ state: gone, job: gone, subject: { job: gone }, readAt: NOW })),
    ).not.toContain(actionIds.jobApprove);
    const waits = foreignJob(WAITING);
    expect(
      presses(jobDetailsMessage({ state: waits, job: waits, subject: { job: waits }, readAt: NOW })),
    ).toContain(actionIds.jobApprove);
  });
});
