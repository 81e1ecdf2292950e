import { beforeEach, describe, expect, it } from 'vitest';
import { changeDraft, withProjectInfo } from '../../../src/bidding/bid-drafts.ts';
import { MINUTE } from '../../../src/clock.ts';
import { SetupId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { bidSendingView } from '../../../src/slack/bids/bid-form.ts';
import { BID_FORM_GONE, SCREENING_QUESTIONS_CHANGED } from '../../../src/slack/bids/bid-outcome.ts';
import type { SubmissionResponse } from '../../../src/slack/core/routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { valuesOf } from '../buttons.ts';
import { initialOf } from '../kit/harmless-view.ts';
import { BEN, CHANNEL, listed, NOW, TEAM } from '../samples.ts';
import { type BidDesk, CLEO, DAY, lookUpWaits, startBidDesk } from './bid-desk.ts';
import { bid, JOB, job } from './bidding-samples.ts';

const CHOSEN = { setup: { option: '7' } } as const;
const TYPED = {
  ...CHOSEN,
  bid_amount: { text: '$1,500.50' },
  boost: { text: '10' },
  cover_letter: { text: ' Dear shop,\n' },
  answer_0: { text: 'Tomorrow' },
  answer_1: { text: ' Three ' },
} as const;

let desk: BidDesk;
beforeEach(async () => {
  desk = startBidDesk();
  const card = await desk.desk.addCard();
  await desk.knowSetups();
  await desk.press(actionIds.bid, listed().key, card);
});

async function send(changes: Parameters<BidDesk['submit']>[0] = TYPED): Promise<void> {
  const { behind } = await desk.submit(changes);
  await behind();
}

/** The value of the button with this action. */
function buttonValue(id: string): string {
  return valuesOf(desk.screen(), id)[0] ?? expect.fail(`no button ${id}`);
}

function errorsOf(answer: SubmissionResponse): Readonly<Record<string, string>> {
  return answer.kind === 'errors' ? answer.errors : expect.fail(`no errors but ${answer.kind}`);
}

async function sending() {
  const [draft] = await desk.drafts();
  return bidSendingView(draft?.id ?? expect.fail('no draft'));
}

describe('a form that is filled in well', () => {
  it('waits in its own place while it is sent, and the role of its channel decides', async () => {
    const { answer } = await desk.submit(TYPED);
    expect(answer).toMatchObject({ kind: 'update', channel: CHANNEL });
    expect(desk.screen()).toEqual(await sending());
    expect(desk.state.created).toEqual([]);
  });

  it('schedules at the chosen moment', async () => {
    await desk.pressIn(actionIds.bidWhen, { ...CHOSEN, when: { option: 'at' } });
    await send({ ...CHOSEN, at: { at: NOW + 10 * MINUTE } });
    expect(desk.state.created).toEqual([
      { setup: 7, marketplaceJobId: '~0123456789', scheduledAt: '2026-11-20T09:10:00.000Z' },
    ]);
  });
});

describe('a form with mistakes', () => {
  it('shows each at its field, sends nothing and keeps what was typed', async () => {
    const { answer } = await desk.submit({
      setup: {},
      bid_amount: { text: '4' },
      boost: { text: '-1' },
      answer_1: { text: 'Only this' },
    });
    expect(answer).toMatchObject({ kind: 'errors', channel: CHANNEL });
    const errors = errorsOf(answer);
    expect(Object.keys(errors).sort()).toEqual(['answer_0', 'bid_amount', 'boost', 'setup']);
    expect(errors['bid_amount']).toMatch(/\b5\b.*\b1,000,000\b/u);
    expect(errors).toMatchSnapshot();
    expect(desk.state.created).toEqual([]);
    expect((await desk.drafts())[0]?.form).toMatchObject({ marketplaceJobId: '~0123456789', bidAmount: '4' });
  });

  it('shows at its field an ID that is none, where the form asks for one', async () => {
    await desk.type('https://www.marketplace.example/open?job_uid=4711');
    const { answer } = await desk.submit({ ...CHOSEN, job_id: { text: 'two words' } });
    expect(Object.keys(errorsOf(answer))).toEqual(['job_id']);
    expect((await desk.drafts()).map(({ form }) => form.marketplaceJobId)).toContain('two words');
  });

  it('that chose a time whose input did not come up is told at the choice', async () => {
    const { answer } = await desk.submit({ ...CHOSEN, when: { option: 'in-minutes' } });
    expect(answer).toMatchObject({ errors: { when: expect.stringMatching(/\b15\b.*\b60\b/u) } });
  });

  it('names a setup that vanished while it was open', async () => {
    desk.state.setups = [DAY];
    desk.clock.moveBy(MINUTE);
    await desk.knowSetups();
    const errors = errorsOf((await desk.submit(TYPED)).answer);
    expect(Object.keys(errors)).toEqual(['setup']);
    expect(errors).toMatchSnapshot();
  });

  it('names a setup that has bid already, or is about to', async () => {
    await desk.keepBid(bid({ by: BEN, job: JOB }), job());
    const already = errorsOf((await desk.submit(TYPED)).answer);
    expect(already['setup']).toContain('#12');
    await desk.keepBid(bid({ by: BEN, state: 'sending' }));
    const under = errorsOf((await desk.submit(TYPED)).answer);
    expect(Object.keys(under)).toEqual(['setup']);
    expect([already, under]).toMatchSnapshot();
    expect(desk.state.created).toEqual([]);
  });

  it.each(['', 'a'.repeat(26), '{"draft":"x"}'])(
    'whose draft is not there (%j) loses nothing',
    async (id) => {
      const { answer } = await desk.submit(TYPED, { privateMetadata: id });
      expect(answer).toEqual({
        kind: 'errors',
        errors: { setup: BID_FORM_GONE.text },
      });
    },
  );

  it('of somebody else is neither read nor written', async () => {
    const { answer } = await desk.submit(TYPED, { by: BEN });
    expect(answer.kind).toBe('errors');
    expect((await desk.drafts())[0]?.form.coverLetter).toBe('');
  });
});

describe('the outcome', () => {
  it('created: the job, when, and the draft is gone', async () => {
    await send();
    for (const fact of ['#12', 'Night shift', '<!date^', '/gig job 12']) expect(desk.words()).toContain(fact);
    expect(desk.words()).toMatchSnapshot();
    expect(await desk.drafts()).toEqual([]);
  });

  it('created, waiting for review: who can approve it', async () => {
    desk.state.create = async () => ({
      job: { id: JOB, status: 'pending_review', statusTitle: 'Pending review' },
    });
    await send();
    expect(desk.words()).toContain('`/gig job 12`');
    expect(desk.words()).toMatchSnapshot();
  });

  it('skipped: that no proposal is sent, and what stands in the way; the form opens again', async () => {
    desk.state.create = async () => ({ job: { id: JOB, status: 'skipped' } });
    await send();
    expect(desk.words()).toContain('#12');
    expect(desk.words()).toMatchSnapshot();
    await desk.pressIn(actionIds.bidReopen, {}, { value: buttonValue(actionIds.bidReopen) });
    expect(initialOf(desk.screen(), 'cover_letter')).toBe(' Dear shop,\n');
  });

  it('refused: in the words of the API, field by field', async () => {
    desk.state.create = async () => {
      throw new MarketplaceError('bad-request', 'none', 'no', {
        serverMessage: 'Validation failed <!channel>',
        fields: { bid_amount: 'too low' },
      });
    };
    await send();
    expect(desk.words()).toContain('“Validation failed &lt;!channel&gt;”');
    expect(desk.words()).toContain('bid_amount: too low');
    expect(desk.words()).toMatchSnapshot();
  });

  it('refused for a job that stands in its way: that job', async () => {
    desk.state.create = async () => {
      throw new MarketplaceError('bad-request', 'none', 'no', { serverMessage: 'Duplicate', jobId: 99 });
    };
    await send();
    expect(desk.words()).toContain('`/gig job 99`');
    expect(desk.words()).toMatchSnapshot();
  });

  it('unknown, tried again: the form shows the first attempt, and sending it makes the second', async () => {
    const answer = desk.state.create;
    desk.state.create = async () => {
      throw new MarketplaceError('timeout', 'unknown', 'no answer');
    };
    await send();
    desk.state.create = answer;
    await desk.pressIn(actionIds.bidReopen, {}, { value: buttonValue(actionIds.bidReopen) });
    expect(buttonValue(actionIds.bidCheck)).not.toBe('');
    expect(desk.words()).toMatchSnapshot();
    await send({});
    expect(desk.state.created).toHaveLength(2);
    expect(desk.state.created[1]).toEqual(desk.state.created[0]);
    expect(desk.words()).toContain('/gig job 12');
  });

  it('taken: who was first and how that stands; only the form opened again can go on', async () => {
    // Another person sent it after this form was opened, and no answer came.
    await desk.keepBid(bid({ by: BEN, state: 'unknown' }));
    await send();
    expect(desk.state.created).toEqual([]);
    expect(desk.words()).toContain(`<@${BEN}>`);
    expect(desk.words()).toContain('Night shift');
    expect(desk.words()).toMatchSnapshot();
    await desk.pressIn(actionIds.bidReopen, {}, { value: buttonValue(actionIds.bidReopen) });
    await send({});
    expect(desk.state.created).toHaveLength(1);
  });

  it('of a job id that was changed after looking counts as not seen', async () => {
    await desk.type('https://www.marketplace.example/open?job_uid=4711');
    const other = bid({ by: BEN, state: 'unknown', id: '7:555' as never });
    await desk.keepBid({ ...other, request: { setup: SetupId.parse(7), marketplaceJobId: '~555' } });
    await send({ ...CHOSEN, job_id: { text: '~555' } });
    expect(desk.state.created).toEqual([]);
    expect(desk.words()).toContain(`<@${BEN}>`);
    expect(desk.words()).toMatchSnapshot();
  });

  it('failed before sending: that nothing was sent, and the form opens again', async () => {
    const { behind } = await desk.submit(TYPED);
    const { store } = desk;
    (store as typeof store & { failNext(): void }).failNext();
    await behind();
    expect(desk.state.created).toEqual([]);
    expect(desk.words()).toMatchSnapshot();
    await desk.pressIn(actionIds.bidReopen, {}, { value: buttonValue(actionIds.bidReopen) });
    expect(initialOf(desk.screen(), 'bid_amount')).toBe('$1,500.50');
  });

  it('is not covered by a form that was still being looked up when it was sent', async () => {
    const found = lookUpWaits(desk);
    const looking = desk.pressIn(actionIds.bidLookUp, TYPED);
    await new Promise((resolve) => setImmediate(resolve));
    const { behind } = await desk.submit(TYPED);
    found();
    await looking;
    expect(desk.screen()).toEqual(await sending());
    await behind();
    expect(desk.words()).toContain('/gig job 12');
  });
});

describe('a form whose questions are others by now', () => {
  it('sends no answer under another question, and forgets none', async () => {
    const old = desk.pressed(TYPED, {});
    const [draft] = await desk.drafts();
    const owner = { team: TEAM, user: CLEO };
    const news = { title: '', questions: ['Which shops have you built?', 'When could you begin?'] };
    await desk.store.transact((tx) =>
      changeDraft(tx, owner, draft?.id ?? '', (stored) => withProjectInfo(stored, news)),
    );
    await desk.close(TYPED, old);
    expect((await desk.drafts())[0]?.form.answers).toEqual([]);
    const { answer } = await desk.submit(TYPED, old);
    expect(answer).toMatchObject({ kind: 'errors', errors: { setup: SCREENING_QUESTIONS_CHANGED } });
    expect(desk.state.created).toEqual([]);
  });
});
