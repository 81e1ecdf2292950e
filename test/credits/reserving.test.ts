/** Who may reserve how much, and what prevents it. */
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { ANN, DATA, DESIGN, FILTER, LOOKUP, openedBook, RESET, START, settledBook, WEB } from './books.ts';

const ONE = { purchase: LOOKUP, maxCredits: 1, minCredits: 1 };
const OTHER = { ...ONE, purchase: { ...LOOKUP, subject: '~02' } };

/** A book after its first answer, with budgets smaller than a page. */
async function tinyBook(defaultBudget: number) {
  const book = openedBook(defaultBudget);
  await book.buy(0, 1_000, { purchase: { ...LOOKUP, subject: '~03' }, maxCredits: 0, minCredits: 0 });
  return book;
}

describe('a reservation', () => {
  test('is made once', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await expect(book.reserve({ id: 'page' })).rejects.toThrow(RangeError);
  });

  test('tells the ledger who asked, where somebody did', async () => {
    const book = await settledBook();
    await book.buy(5, 995, { user: ANN });
    await book.buy(6, 989);
    const [own, asked] = await book.ledger();
    expect(asked?.user).toBe(ANN);
    expect(own).not.toHaveProperty('user');
  });

  test('of one channel is small for what another has lost only where both pay', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', channels: [DESIGN] });
    await book.lose('lost');
    expect(await book.reserve({ channels: [WEB] })).toMatchObject({ amount: 100 });
    expect(await book.reserve({ channels: [WEB, DESIGN] })).toMatchObject({ amount: 10 });
  });

  test('is not small for a lost request of which a channel would pay nothing', async () => {
    const book = await settledBook();
    await book.reserve({ ...ONE, id: 'lost', channels: [DESIGN, WEB] });
    await book.lose('lost');
    expect(await book.reserve({ channels: [WEB] })).toMatchObject({ amount: 100 });
    expect(await book.reserve({ channels: [DESIGN] })).toMatchObject({ amount: 10 });
  });
});

describe('a budget that does not suffice', () => {
  test('waits for a balance where lost requests hold just enough', async () => {
    const book = await settledBook(15);
    await book.reserve({ id: 'lost', maxCredits: 10 });
    await book.lose('lost');
    expect(await book.reserve()).toEqual({ kind: 'unanswered', broke: [DESIGN] });
    expect(await book.reserve({ minCredits: 15 })).toMatchObject({ kind: 'unanswered' });
    expect(await book.reserve({ minCredits: 16 })).toEqual({ kind: 'no-budget', broke: [DESIGN] });
  });

  test('waits where one of its channels could pay then, though another never could', async () => {
    const book = await settledBook(15);
    await book.setBudget(WEB, 0);
    await book.reserve({ id: 'lost', maxCredits: 10 });
    await book.lose('lost');
    expect(await book.reserve({ channels: [WEB, DESIGN] })).toMatchObject({ kind: 'unanswered' });
  });

  test('is told where a page does not fit, and not for a lookup', async () => {
    const book = await settledBook();
    await book.setBudget(DESIGN, 0);
    expect(await book.reserve(ONE)).toMatchObject({ kind: 'no-budget' });
    expect(await book.notices()).toEqual([]);
    await book.reserve();
    expect(await book.notices()).toMatchObject([{ notice: { about: 'budget-spent', left: 0 } }]);
  });
});

describe('an account that is spent', () => {
  test('lets through what fits into what it has left', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 10 });
    expect(await book.reserve()).toMatchObject({ kind: 'reserved', amount: 10 });
    expect(await book.reserve({ minCredits: 11 })).toMatchObject({ kind: 'account-spent', remaining: 10 });
  });

  test('is tried again within a minute', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 0 });
    const soon = await book.reserve({ at: START + MINUTE / 2 });
    const retryAt = soon.kind === 'account-spent' ? soon.retryAt : 0;
    expect(retryAt).toBeLessThan(START + MINUTE);
    expect(await book.reserve({ at: retryAt - 1 })).toMatchObject({ kind: 'account-spent' });
    expect(await book.reserve({ at: retryAt })).toMatchObject({ kind: 'reserved' });
  });

  test('says until when, where the marketplace has told', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 0 });
    expect(await book.reserve()).toMatchObject({ kind: 'account-spent', remaining: 0, until: RESET });
  });

  test('says no date that is only assumed', async () => {
    const book = openedBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 0 });
    expect(await book.reserve()).toMatchObject({ kind: 'account-spent', remaining: 0, looksLikeTrial: true });
    expect((await book.notices()).map(({ notice }) => notice)).toEqual([
      { about: 'account-credits-spent', remaining: 0, looksLikeTrial: true },
    ]);
  });
});

describe('a lookup that got lost', () => {
  test('is repeated with its own credit once at a time', async () => {
    const book = await tinyBook(1);
    await book.reserve({ ...ONE, id: 'lost' });
    await book.lose('lost');
    expect(await book.reserve(ONE)).toMatchObject({ kind: 'reserved', amount: 1, payers: [DESIGN] });
    expect(await book.budget(DESIGN)).toMatchObject({ reserved: 1 });
    expect(await book.reserve(ONE)).toMatchObject({ kind: 'no-budget' });
  });

  test('is repeated by the same lookup alone: no other project, no page, no other channels', async () => {
    const book = await tinyBook(1);
    await book.reserve({ ...ONE, id: 'lost', channels: [DESIGN] });
    await book.lose('lost');
    expect(await book.reserve(OTHER)).toMatchObject({ kind: 'unanswered' });
    const page = { purchase: { ...FILTER, subject: LOOKUP.subject }, maxCredits: 1, minCredits: 1 };
    expect(await book.reserve(page)).toMatchObject({ kind: 'unanswered' });
    expect(await book.reserve({ ...ONE, channels: [WEB] })).toMatchObject({ payers: [WEB] });
    expect(await book.budget(WEB)).toMatchObject({ reserved: 1 });
  });

  test('that two channels share is no other’s of one of them alone', async () => {
    const book = await tinyBook(1);
    await book.reserve({ ...ONE, id: 'lost', channels: [DESIGN, WEB], maxCredits: 2, minCredits: 1 });
    await book.lose('lost');
    expect(await book.reserve({ ...ONE, channels: [DESIGN] })).toMatchObject({ kind: 'unanswered' });
  });

  test('holds no more together with its retry than it held alone', async () => {
    const book = await settledBook();
    await book.reserve({ ...ONE, id: 'lost', maxCredits: 3 });
    await book.lose('lost');
    await book.reserve({ ...ONE, id: 'retry' });
    expect(await book.budget(DESIGN)).toMatchObject({ reserved: 3 });
    await book.lose('retry');
    expect(await book.budget(DESIGN)).toMatchObject({ reserved: 3 });
    await book.buy(0, 998, { ...OTHER, minCredits: 0 });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 2, reserved: 0 });
  });

  test('is retried by those that hold its credits, though their budgets are used up by now', async () => {
    const book = await settledBook();
    await book.reserve({ ...ONE, id: 'lost', maxCredits: 2, channels: [DESIGN, WEB] });
    await book.lose('lost');
    for (const channel of [DESIGN, WEB, DATA]) await book.setBudget(channel, 0);
    expect(await book.reserve({ ...ONE, channels: [DATA, WEB, DESIGN] })).toEqual({
      kind: 'reserved',
      amount: 1,
      payers: [DESIGN, WEB],
      broke: [DATA],
    });
  });

  test('and lost again is judged only by what was asked for after that', async () => {
    const book = await tinyBook(2);
    await book.reserve({ ...ONE, id: 'lost' });
    await book.lose('lost');
    await book.reserve({ ...ONE, id: 'retry' });
    await book.reserve({ ...OTHER, id: 'early' });
    await book.lose('retry');
    await book.settle('early', 0, 1_000);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 1 });
    await book.buy(0, 999, { ...OTHER, minCredits: 0 });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 1, reserved: 0 });
  });
});
