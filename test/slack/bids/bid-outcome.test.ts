import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BidId, DraftId } from '../../../src/ids.ts';
import {
  bidCheckResultMessage,
  bidNotSentMessage,
  bidOutcomeMessage,
} from '../../../src/slack/bids/bid-outcome.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { BEN, NOW } from '../samples.ts';
import { anyBidding, bid, JOB, job, WAITING } from './bidding-samples.ts';

const DRAFT = DraftId.parse('abcdefghijklmnop12345678');
const by = { by: BEN };
const asked = (view: Parameters<typeof bidCheckResultMessage>[0]['view']) =>
  bidOutcomeMessage({ kind: 'asked', view }, DRAFT);

describe('what came of a bid', () => {
  it('is told in words that say what happened and what to do next', async () => {
    const unknown = { bid: bid({ ...by, state: 'unknown' }) };
    const skipped = job({ status: 'skipped', statusTitle: 'Skipped', reason: 'Daily limit reached' });
    const refusal = { code: 'bad-request', serverMessage: 'Duplicate job' };
    const doubt = { ...by, attempt: 2, doubtSince: NOW - 9 };
    const messages = [
      asked({ bid: bid({ ...by, job: JOB }), job: job() }),
      asked({ bid: bid({ ...by, job: JOB }), job: job(WAITING) }),
      asked({ bid: bid({ ...by, state: 'skipped', job: JOB }), job: skipped }),
      asked({ bid: bid({ ...by, state: 'refused', refusal }) }),
      asked({ bid: bid({ ...by, state: 'refused', refusal, job: JOB }) }),
      asked({ bid: bid({ ...doubt, state: 'refused', refusal }) }),
      asked({ bid: bid({ ...doubt, state: 'skipped', job: JOB }), job: skipped }),
      asked(unknown),
      bidOutcomeMessage({ kind: 'taken', view: { bid: bid({ ...by, state: 'sending' }) } }, DRAFT),
      bidOutcomeMessage({ kind: 'taken', view: { bid: bid({ ...by, job: JOB }), job: job() } }, DRAFT),
      bidNotSentMessage({ text: ':warning: The disk is full.' }, DRAFT),
      bidCheckResultMessage({ view: unknown }, DRAFT),
      bidCheckResultMessage({ view: unknown, sentSince: 0 }, undefined),
      bidCheckResultMessage({ view: unknown, sentSince: 1 }, undefined),
      bidCheckResultMessage({ view: { bid: bid({ ...doubt, state: 'refused', refusal }) } }, undefined),
      bidCheckResultMessage({ view: { bid: bid({ ...by, job: JOB }), job: job() } }, undefined),
    ];
    for (const message of messages) expectHarmless(message);
    await expect(messages.map(asText).join('\n')).toMatchFileSnapshot('__snapshots__/bid-outcomes.txt');
  });

  it('leads back by the draft where there is one, else by the bid', () => {
    const view = { bid: bid({ ...by, id: BidId.parse('7:1'), state: 'unknown' }) };
    expect(JSON.stringify(bidCheckResultMessage({ view }, DRAFT))).toContain(`"value":"${DRAFT}"`);
    expect(JSON.stringify(bidCheckResultMessage({ view }, undefined))).not.toContain(DRAFT);
    expect(JSON.stringify(bidCheckResultMessage({ view }, undefined))).toContain('"value":"7:1"');
  });

  it('is harmless whatever strangers wrote', () => {
    fc.assert(
      fc.property(anyBidding, fc.constantFrom('asked', 'taken'), (bidding, kind) => {
        for (const { bid: made, job: became } of bidding.bids) {
          const view = { bid: { ...made, by: BEN }, ...(became ? { job: became } : {}) };
          expectHarmless(bidOutcomeMessage({ kind, view }, DRAFT));
          expectHarmless(bidCheckResultMessage({ view, sentSince: 3 }, undefined));
        }
      }),
      { numRuns: 60 },
    );
  });
});
