import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bidMessage, jobMessage } from '../../../src/slack/messages/bid-post.ts';
import { expectHarmless } from '../harmless.ts';
import { BEN, NOW } from '../samples.ts';
import { asText } from './as-text.ts';
import { anyBidding, anyJob, bid, foreignJob, job, WAITING } from './bidding-samples.ts';

const AT = `<!date^${NOW / 1_000}^\u200b{date_short_pretty} at {time}|20 Nov 2026, 09:00 UTC>`;

describe('a bid on a project without a card', () => {
  it('is a message of its own: what was asked, how it stands, and what can be done', () => {
    expect(asText(bidMessage({ bid: bid(), job: job(WAITING) }))).toBe(
      [
        'text: Bid on Rebuild our checkout in React',
        '-- section',
        '*<https://www.marketplace.example/jobs/~0123456789?a=1&amp;b=2|Rebuild our checkout in React>*',
        `$500 · boost 10 connects · when the setup schedules it · asked by <@U0ANA> ${AT}`,
        '-- context',
        ':dart: Bid by <@U0ANA> with Night shift: waiting for review (job #12)',
        '-- actions',
        '[Approve]',
        '',
      ].join('\n'),
    );
  });

  it('has no buttons while there is nothing to do', () => {
    expect(bidMessage({ bid: bid({ state: 'sending' }) }).blocks).toHaveLength(2);
  });

  it('can be checked or tried again, but offers no bid of another kind', () => {
    const text = asText(bidMessage({ bid: bid({ state: 'unknown' }) }));
    expect(text).toContain('[Check]\n[Try again]\n');
    expect(asText(bidMessage({ bid: bid({ state: 'refused' }) }))).toContain('-- actions\n[Try again]\n');
  });

  it.each([
    [{ scheduledAt: NOW + 3_600_000 }, '· for <!date^'],
    [{ scheduledInMinutes: 30 }, '· in 30 minutes ·'],
    [{ coverLetter: 'x'.repeat(1_240) }, '· own cover letter of 1,240 characters ·'],
    [{ answers: [{ question: 'Q', answer: 'A' }] }, '· 1 answer ·'],
  ])('tells that it asked for %o', (change, words) => {
    expect(asText(bidMessage({ bid: bid({ request: { ...bid().request, ...change } }) }))).toContain(words);
  });

  it('tells why the AI disqualified it while somebody may approve it', () => {
    const verdict = { decision: 'disqualified', reason: 'Wrong stack', other: {} };
    expect(asText(bidMessage({ bid: bid(), job: job(WAITING) }, verdict))).toContain(
      'The AI disqualified this project: Wrong stack',
    );
    expect(asText(bidMessage({ bid: bid(), job: job() }, verdict))).not.toContain('The AI disqualified');
  });

  it('is harmless whatever stands in it', () => {
    fc.assert(
      fc.property(anyBidding, ({ bids }) => {
        for (const view of bids) expectHarmless(bidMessage({ ...view, bid: { ...view.bid, by: BEN } }));
      }),
    );
  });
});

describe('a job that was not bid from here', () => {
  it('is a message of its own', () => {
    expect(asText(jobMessage(foreignJob({ ...WAITING, setupName: 'Day shift' })))).toBe(
      [
        'text: Job #13: Rebuild our checkout in React',
        '-- section',
        '*Job #13: Rebuild our checkout in React*',
        'Day shift · $500 · ~0123456789',
        '-- context',
        ':dart: Job with Day shift, not bid from here: waiting for review (job #13)',
        '-- actions',
        '[Approve]',
        '',
      ].join('\n'),
    );
  });

  it('stands without all that is not known', () => {
    const { title: _title, bidAmount: _amount, marketplaceJobId: _id, ...bare } = foreignJob();
    expectHarmless(jobMessage(bare));
    expect(jobMessage(bare).text).toBe('Auto bidding job #13');
  });

  it('is harmless whatever stands in it', () => {
    fc.assert(fc.property(anyJob, (it) => expectHarmless(jobMessage(it))));
  });
});
