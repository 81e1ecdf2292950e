import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SetupId } from '../../../src/ids.ts';
import type { BidNews } from '../../../src/outbox/news.ts';
import { bidNewsMessage } from '../../../src/slack/bids/bid-messages.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { expectHarmless } from '../harmless.ts';
import { presses } from '../kit/as-text.ts';
import { ANA, BEN } from '../samples.ts';
import { HOSTILE, JOB } from './bidding-samples.ts';

const TITLE = 'Rebuild our checkout';
const bid = { by: ANA, title: TITLE, setup: SetupId.parse(7), setupName: 'Night shift' };
const waits = { job: JOB, status: 'pending_review', statusTitle: 'Pending review' };
const scheduled = { job: JOB, status: 'scheduled', scheduledAt: 'tomorrow at nine' };

const told: readonly BidNews[] = [
  { about: 'bid-created', ...bid, ...scheduled },
  { about: 'bid-created', ...bid, ...waits },
  { about: 'bid-created', ...bid, job: JOB, status: '3', statusTitle: 'Pending review' },
  { about: 'bid-created', ...bid, ...waits, elsewhere: '~2' },
  { about: 'bid-skipped', ...bid, job: JOB, status: 'skipped', reason: 'The daily limit is reached' },
  { about: 'bid-skipped', ...bid, job: JOB, status: 'skipped' },
  { about: 'bid-refused', ...bid, code: 'bad-request', serverMessage: 'No such <setup>' },
  { about: 'bid-refused', ...bid, code: 'bad-request', serverMessage: 'A job exists', job: JOB },
  { about: 'bid-refused', ...bid, code: 'bad-request', serverMessage: 'No such <setup>', doubt: true },
  { about: 'bid-unknown', by: ANA, title: TITLE, setup: SetupId.parse(7) },
  { about: 'bid-found', by: ANA, title: TITLE, ...scheduled },
  { about: 'job-approved', by: BEN, approvedBy: 'API token', ...scheduled },
  { about: 'job-approved', by: BEN, overrode: 'Wrong stack', ...scheduled },
  { about: 'job-approved', by: BEN, overrode: '', ...scheduled },
  { about: 'approval-refused', by: BEN, job: JOB, code: 'forbidden' },
  { about: 'approval-refused', by: BEN, job: JOB, code: 'not-done' },
  { about: 'approval-refused', by: BEN, job: JOB, code: 'forbidden', doubt: true },
  { about: 'approval-unknown', by: BEN, job: JOB },
  { about: 'approval-rejected', by: BEN, job: JOB, reason: 'Too <low>', asker: ANA },
  { about: 'approval-expired', job: JOB, hours: 24, asker: ANA },
  { about: 'approval-expired', job: JOB, hours: 1 },
  { about: 'job-changed', job: JOB, status: 'on_the_moon' },
  { about: 'job-changed', job: JOB, status: 'skipped', reason: 'A limit' },
  { about: 'job-failed', job: JOB, status: 'failed', errorMessage: 'Out of connects' },
  { about: 'job-sent', job: JOB, status: 'completed', applicationUid: '4455' },
  { about: 'proposal-found', job: JOB, proposal: 900, connects: 16, boost: 10, position: 3 },
  { about: 'proposal-found', job: JOB, proposal: 900 },
  { about: 'job-left', job: JOB, hours: 48 },
  { about: 'job-gone', job: JOB },
];

describe('a thread is told', () => {
  it.each(told)('of $about (%#)', (news) => {
    const message = bidNewsMessage(news, TITLE);
    expect(message.text).toMatchSnapshot();
    expect(message.text).toContain(`“${TITLE}”`);
    if ('job' in news) expect(message.text).toContain(`#${JOB}`);
    expect(message.blocks?.slice(0, 1)).toEqual([
      { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: message.text } },
    ]);
    // Texts that say to open the job have a button for it.
    const has = presses(message).includes(actionIds.jobRefresh);
    expect(has).toBe(message.text.includes('Open Bid'));
  });

  it('every kind of news there is', () => {
    const kinds = new Set(told.map((news) => news.about));
    expect([...kinds].sort().join(' ')).toBe(
      'approval-expired approval-refused approval-rejected approval-unknown ' +
        'bid-created bid-found bid-refused bid-skipped bid-unknown ' +
        'job-approved job-changed job-failed job-gone job-left job-sent proposal-found',
    );
  });

  it('of a job whose project is not known by its number alone', () => {
    const { text } = bidNewsMessage({ about: 'job-gone', job: JOB });
    expect(text).toContain(`#${JOB}`);
    expect(text).toMatchSnapshot();
  });

  it('nothing that calls anyone or leads anywhere, whatever stands in it', () => {
    const words = fc.constantFrom(...HOSTILE);
    const any = fc.record({
      news: fc.constantFrom(...told),
      words: fc.record({
        title: words,
        setupName: words,
        status: words,
        statusTitle: words,
        scheduledAt: words,
        reason: words,
        serverMessage: words,
        code: words,
        fields: fc.dictionary(words, words),
        approvedBy: words,
        errorMessage: words,
        applicationUid: words,
      }),
      title: words,
    });
    fc.assert(
      fc.property(any, ({ news, words: hostile, title }) => {
        const overrode = 'overrode' in news ? { overrode: hostile.reason } : {};
        expectHarmless(
          bidNewsMessage({ ...news, ...hostile, ...overrode, by: BEN, asker: BEN } as BidNews, title),
        );
      }),
      { numRuns: 200 },
    );
  });
});
