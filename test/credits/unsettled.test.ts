/** Requests without a known cost: the known part is booked, and the rest stays reserved. */
import { describe, expect, test } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { ANN, DESIGN, FILTER, LOOKUP, openedBook, RESET, settledBook } from './books.ts';

describe('a lost answer', () => {
  test('is booked at what the next balance proves', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', maxCredits: 50 });
    await book.lose('lost');
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 50 });
    await book.buy(3, 1_000 - 20 - 3);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 23, reserved: 0 });
    expect((await book.ledger()).map(({ credits }) => credits)).toEqual([20, 3]);
  });

  test('that a crash left behind is treated alike', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', maxCredits: 50 });
    await book.recover();
    await book.buy(0, 960);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 40, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 40, outside: 0 });
  });

  test('is not judged by an answer that was asked for before it was given up', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'early' });
    await book.reserve({ id: 'lost' });
    await book.lose('lost');
    await book.settle('early', 10, 990);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 10, reserved: 100 });
    await book.buy(0, 940);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 60, reserved: 0 });
    expect(await book.account()).toMatchObject({ outside: 0 });
  });

  test('that comes after all is settled by it', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'slow' });
    await book.lose('slow');
    await book.settle('slow', 30, 970);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 30, reserved: 0 });
  });

  test('of a page holds its filter up and makes others small, so an outage ties up little', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', purchase: FILTER, maxCredits: 50 });
    await book.lose('lost');
    expect(await book.reserve({ purchase: FILTER })).toMatchObject({ kind: 'unanswered' });
    expect(await book.reserve()).toMatchObject({ amount: 10 });
    expect(await book.budget(DESIGN)).toMatchObject({ reserved: 60, uncertain: 50 });
  });

  test('of a free request leaves nothing to prove', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'free', maxCredits: 0, minCredits: 0 });
    await book.lose('free');
    expect(await book.reserve()).toMatchObject({ kind: 'reserved' });
  });

  test('never locks a budget for good: a free request learns the balance that releases it', async () => {
    const book = await settledBook(25);
    await book.reserve({ id: 'lost', minCredits: 20 });
    await book.lose('lost');
    expect(await book.reserve()).toEqual({ kind: 'unanswered', broke: [DESIGN] });
    const free = { id: 'free', purchase: LOOKUP, maxCredits: 1, minCredits: 0 };
    expect(await book.reserve(free)).toMatchObject({ kind: 'reserved', amount: 0 });
    await book.settle('free', 0, 980);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 20, reserved: 0, available: 5 });
  });

  test('of a page is never repeated with the same credits: other projects may be on it', async () => {
    const book = await settledBook(25);
    await book.reserve({ id: 'lost', maxCredits: 12 });
    await book.lose('lost');
    expect(await book.reserve({ id: 'retry', maxCredits: 10 })).toMatchObject({ kind: 'reserved' });
    expect(await book.budget(DESIGN)).toMatchObject({ reserved: 22, available: 3 });
    await book.settle('retry', 10, 1_000 - 12 - 10);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 22, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 22, outside: 0 });
  });

  test('of a lookup is repeated with the same credit, since one project costs one credit', async () => {
    const book = openedBook(1);
    const other = { ...LOOKUP, subject: '~02' };
    await book.buy(0, 1_000, { purchase: other, maxCredits: 1, minCredits: 1 });
    await book.reserve({ id: 'lost', purchase: LOOKUP, maxCredits: 1, minCredits: 1 });
    await book.lose('lost');
    expect(await book.reserve({ id: 'retry', purchase: LOOKUP, maxCredits: 1, minCredits: 1 })).toMatchObject(
      {
        kind: 'reserved',
      },
    );
    await book.settle('retry', 0, 999);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 1, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 1, outside: 0 });
  });

  test('stays reserved if nothing proves its cost: before a first balance or after a top-up', async () => {
    const book = openedBook();
    await book.reserve({ id: 'lost' });
    await book.lose('lost');
    expect(await book.reserve()).toMatchObject({ kind: 'unanswered' });
    expect(await book.reserve({ id: 'asked', user: ANN })).toMatchObject({ kind: 'reserved', amount: 10 });
    await book.release('asked');
    await book.buy(0, 1_000, { purchase: LOOKUP, maxCredits: 1, minCredits: 1 });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 10 });
    await book.reserve({ id: 'lost-too', maxCredits: 30 });
    await book.lose('lost-too');
    await book.buy(0, 1_200);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 40 });
    await book.buy(0, 5_000, { at: RESET + DAY, minCredits: 0 }, RESET + 30 * DAY);
    expect(await book.budget(DESIGN, RESET + DAY)).toMatchObject({ settled: 0, reserved: 0 });
  });
});

describe('an answer that does not tell all', () => {
  test('from a second try: its balance proves the first one’s cost, on the same budget', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'twice', purchase: LOOKUP, maxCredits: 1, minCredits: 1 });
    await book.tell('twice', { consumed: 0, remaining: 999, repeated: true });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 1, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 1, outside: 0 });
  });

  test('and cost nothing twice gives all back', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'twice', maxCredits: 10 });
    const settlement = await book.tell('twice', { consumed: 4, remaining: 996, repeated: true });
    expect(settlement).toMatchObject({ atMost: 10 });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 4, reserved: 0 });
  });

  test('without what it charged: its balance proves it', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'untold', maxCredits: 20 });
    const settlement = await book.tell('untold', { consumed: 8, remaining: 995, assumed: 'consumed' });
    expect(settlement).toEqual({ shares: [], atMost: 8 });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 5, reserved: 0 });
  });

  test('without a balance: what was assumed in its place blames nobody', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'blind', maxCredits: 20 });
    await book.tell('blind', { consumed: 3, remaining: 9_997, assumed: 'remaining' });
    expect(await book.account()).toMatchObject({ byChannels: 3, outside: 0, remaining: 1_000 });
    await book.buy(2, 995);
    expect(await book.account()).toMatchObject({ byChannels: 5, outside: 0, remaining: 995 });
  });

  test('with neither: as many as came stay reserved until a balance is told', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'blind', maxCredits: 20 });
    await book.tell('blind', { consumed: 8, remaining: 9_992, assumed: 'both' });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 8 });
    await book.buy(0, 994);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 6, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 6, outside: 0 });
  });

  test('and is of the period before leaves no number in the ledger that nobody knows', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'late' });
    await book.tell('late', { consumed: 8, remaining: 992, assumed: 'consumed' }, RESET + DAY);
    expect(await book.ledger()).toEqual([]);
  });

  test('keeps no feed waiting for a balance that is never told', async () => {
    const book = openedBook();
    for (const id of ['one', 'two', 'three']) {
      expect(await book.reserve({ id })).toMatchObject({ kind: 'reserved', amount: 10 });
      await book.tell(id, { consumed: 2, remaining: 0, assumed: 'both' });
    }
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 6 });
  });
});
