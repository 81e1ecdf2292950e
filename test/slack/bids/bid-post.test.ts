import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disqualifiedBlock } from '../../../src/slack/bids/bid-buttons.ts';
import { bidPostMessage, jobPostMessage } from '../../../src/slack/bids/bid-messages.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, presses } from '../kit/as-text.ts';
import { BEN, NOW } from '../samples.ts';
import { anyBidding, anyJob, bid, foreignJob, JOB, job, WAITING } from './bidding-samples.ts';

const AT = `<!date^${NOW / 1_000}^\u200b{date_short_pretty} at {time}|Nov 20, 2026, 9:00 AM UTC>`;

describe('a bid on a project without a card', () => {
  it('is a message of its own: what was asked, how it stands, and what can be done', () => {
    const message = bidPostMessage({ bid: bid(), job: job(WAITING) });
    expect(asText(message)).toMatchSnapshot();
    for (const fact of ['$500', '<@U0ANA>', AT, 'Night shift', `#${JOB}`])
      expect(asText(message)).toContain(fact);
    expect(presses(message)).toEqual([actionIds.jobReview]);
  });

  it('has no buttons while there is nothing to do', () => {
    expect(bidPostMessage({ bid: bid({ state: 'sending' }) }).blocks).toHaveLength(2);
  });

  it('can be checked or tried again, but offers no bid of another kind', () => {
    const unknown = bidPostMessage({ bid: bid({ state: 'unknown' }) });
    expect(presses(unknown)).toEqual([actionIds.bidCheck, actionIds.bid]);
    expect(presses(bidPostMessage({ bid: bid({ state: 'refused' }) }))).toEqual([actionIds.bid]);
  });

  it.each([
    ['scheduledAt', { scheduledAt: NOW + 3_600_000 }, `<!date^${(NOW + 3_600_000) / 1_000}^`],
    ['scheduledInMinutes', { scheduledInMinutes: 30 }, ' 30 '],
    ['coverLetter', { coverLetter: 'x'.repeat(1_240) }, '1,240 '],
    ['answers', { answers: [{ question: 'Q', answer: 'A' }] }, ' 1 '],
  ])('tells that it asked for %s', (_, change, fact) => {
    const text = asText(bidPostMessage({ bid: bid({ request: { ...bid().request, ...change } }) }));
    expect(text).toContain(fact);
    expect(text).toMatchSnapshot();
  });

  it('tells why the AI disqualified it while somebody may approve it', () => {
    const verdict = { decision: 'disqualified', reason: 'Wrong stack', other: {} };
    const why = disqualifiedBlock('Wrong stack');
    expect(bidPostMessage({ bid: bid(), job: job(WAITING) }, verdict).blocks).toContainEqual(why);
    expect(asText({ text: '', blocks: [why] })).toMatchSnapshot();
    expect(bidPostMessage({ bid: bid(), job: job() }, verdict).blocks).not.toContainEqual(why);
    expect(asText(bidPostMessage({ bid: bid(), job: job() }, verdict))).not.toContain('Wrong stack');
  });

  it('is harmless whatever stands in it', () => {
    fc.assert(
      fc.property(anyBidding, ({ bids }) => {
        for (const view of bids) expectHarmless(bidPostMessage({ ...view, bid: { ...view.bid, by: BEN } }));
      }),
    );
  });
});

describe('a job that was not bid from here', () => {
  it('is a message of its own', () => {
    const message = jobPostMessage(foreignJob({ ...WAITING, setupName: 'Day shift' }));
    expect(asText(message)).toMatchSnapshot();
    for (const fact of ['#13', 'Rebuild our checkout in React', 'Day shift', '$500', '~0123456789'])
      expect(asText(message)).toContain(fact);
    expect(presses(message)).toEqual([actionIds.jobReview]);
  });

  it('stands without all that is not known', () => {
    const { title: _title, bidAmount: _amount, marketplaceJobId: _id, ...bare } = foreignJob();
    expectHarmless(jobPostMessage(bare));
    expect(jobPostMessage(bare).text).toContain('#13');
    expect(jobPostMessage(bare).text).toMatchSnapshot();
  });

  it('is harmless whatever stands in it', () => {
    fc.assert(fc.property(anyJob, (it) => expectHarmless(jobPostMessage(it))));
  });
});
