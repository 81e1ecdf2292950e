/** A wrong reset date, a drifting date or a jumping clock doesn't give a channel a second budget. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import type { ResponseCredits } from '../../src/marketplace/schema.ts';
import { DESIGN, LOOKUP, openedBook, RESET, START } from './books.ts';

const MONTH = 30 * DAY;

/** A book with 90 of a budget of 100 spent, in a period with an end named by three answers. */
async function nearlySpentBook() {
  const book = openedBook(100);
  await book.buy(0, 1_000);
  await book.buy(40, 960);
  await book.buy(50, 910);
  return book;
}

/** The largest page affordable now; 0 for none. */
async function roomFor(book: Awaited<ReturnType<typeof nearlySpentBook>>, at: number): Promise<number> {
  const id = `room:${at}`;
  const reserved = await book.reserve({ id, at, maxCredits: 100, minCredits: 1 });
  if (reserved.kind !== 'reserved') return 0;
  await book.release(id);
  return reserved.amount;
}

describe('one answer with a wrong reset date', () => {
  test.each([
    ['too late', RESET + 10 * DAY],
    ['years ahead', RESET + 900 * DAY],
    ['too early', START + 2 * HOUR],
    ['over', START - DAY],
  ])('%s changes nothing: what is spent stays spent, the true end stays the end', async (_, wrong) => {
    const book = await nearlySpentBook();
    await book.buy(1, 909, { at: START + HOUR }, wrong);
    expect(await book.budget(DESIGN, START + HOUR)).toMatchObject({
      settled: 91,
      available: 9,
      period: { resetsAt: RESET },
    });
    expect(await roomFor(book, START + 4 * HOUR)).toBeLessThanOrEqual(9);
    await book.buy(1, 908, { at: START + 5 * HOUR, maxCredits: 1, minCredits: 1 });
    expect(await book.budget(DESIGN, START + 5 * HOUR)).toMatchObject({ settled: 92, available: 8 });
    expect(await book.account(START + 5 * HOUR)).toMatchObject({ byChannels: 92, outside: 0 });
    const after = RESET + HOUR;
    await book.buy(2, 998, { at: after, maxCredits: 2, minCredits: 1 }, RESET + MONTH);
    expect(await book.budget(DESIGN, after)).toMatchObject({ settled: 2, available: 98 });
  });

  test('that comes with a top-up begins nothing: the next answer takes it back', async () => {
    const book = await nearlySpentBook();
    await book.buy(1, 5_909, { at: START + HOUR }, START + 25 * DAY + MONTH / 6);
    expect(await book.budget(DESIGN, START + HOUR)).toMatchObject({ available: 9 });
    expect(await roomFor(book, START + HOUR)).toBeLessThanOrEqual(9);
    await book.buy(1, 5_908, { at: START + 2 * HOUR, maxCredits: 1, minCredits: 1 });
    expect(await book.budget(DESIGN, START + 2 * HOUR)).toMatchObject({
      settled: 92,
      available: 8,
      period: { resetsAt: RESET },
    });
  });
});

describe('a reset date that rolls on with each answer', () => {
  test('is no new period, whether answers come often or after days, nor with a top-up', async () => {
    const book = openedBook(100);
    let left = 1_000;
    const buy = (at: number, credits: number) => {
      left -= credits;
      return book.buy(credits, left, { at, maxCredits: Math.max(1, credits), minCredits: 1 }, at + MONTH);
    };
    await buy(START, 40);
    await buy(START + MINUTE, 20);
    await buy(START + 3 * DAY, 10);
    await buy(START + 3 * DAY + MINUTE, 10);
    await buy(START + 3 * DAY + 3 * HOUR, 5);
    left += 500;
    await buy(START + 6 * DAY, 5);
    await buy(START + 6 * DAY + MINUTE, 1);
    expect(await book.budget(DESIGN, START + 6 * DAY + HOUR)).toMatchObject({ settled: 91, available: 9 });
  });

  test('ends its period a month after it was first named', async () => {
    const book = openedBook(100);
    for (let day = 0; day < 40; day++) {
      const at = START + day * DAY;
      await book.buy(1, 1_000 - day, { at, maxCredits: 10, minCredits: 1 }, at + MONTH);
    }
    const { settled } = await book.budget(DESIGN, START + 39 * DAY);
    // The last answer before the end may already belong to the next period.
    expect(settled).toBeGreaterThanOrEqual(10);
    expect(settled).toBeLessThanOrEqual(11);
  });
});

describe('a clock that is 40 days ahead for two minutes', () => {
  test('gives no second budget, neither then nor when it is right again', async () => {
    const book = await nearlySpentBook();
    const ahead = START + 40 * DAY;
    expect(await roomFor(book, ahead)).toBeLessThanOrEqual(10);
    const question = { at: ahead + MINUTE, purchase: LOOKUP, maxCredits: 1, minCredits: 0 };
    await book.buy(0, 910, question);
    expect(await roomFor(book, ahead + 2 * MINUTE)).toBeLessThanOrEqual(10);
    const back = START + 2 * MINUTE;
    expect(await book.budget(DESIGN, back)).toMatchObject({
      settled: 90,
      available: 10,
      period: { resetsAt: RESET, confirmed: true },
    });
    await book.buy(10, 900, { at: back, maxCredits: 10 });
    expect(await book.budget(DESIGN, back)).toMatchObject({ settled: 100, available: 0 });
  });

  test('keeps what requests without an answer hold', async () => {
    const book = await nearlySpentBook();
    await book.reserve({ id: 'lost', maxCredits: 10 });
    await book.lose('lost');
    await book.recover(START + 40 * DAY);
    expect(await book.budget(DESIGN, START + HOUR)).toMatchObject({ settled: 90, reserved: 10 });
  });
});

describe('a period in doubt', () => {
  test('keeps what was spent in it through a leap of the clock past its end', async () => {
    const book = await nearlySpentBook();
    const after = RESET + MINUTE;
    await book.buy(8, 902, { at: after, maxCredits: 8, minCredits: 1 });
    const leapt = RESET + 59 * DAY;
    expect(await roomFor(book, leapt)).toBeLessThanOrEqual(2);
    await book.buy(0, 902, { at: leapt, purchase: LOOKUP, maxCredits: 1, minCredits: 0 });
    const back = RESET + HOUR;
    await book.buy(1, 999, { at: back, purchase: LOOKUP, maxCredits: 1, minCredits: 0 }, RESET + MONTH);
    for (const at of [back, back + 2 * DAY]) {
      await book.buy(0, 999, { at, purchase: LOOKUP, maxCredits: 1, minCredits: 0 }, RESET + MONTH);
      expect(await book.budget(DESIGN, at)).toMatchObject({ settled: 9, available: 91 });
    }
  });

  test('that a wrong date and a top-up began is not proved by answers without a date', async () => {
    const book = await nearlySpentBook();
    await book.buy(1, 5_909, { at: START + HOUR, maxCredits: 1, minCredits: 1 }, RESET + MONTH / 6);
    const tell = (id: string, at: number) =>
      book.store.transact((tx) => book.book.settleReservation(tx, id, { consumed: 0, remaining: 6_000 }, at));
    for (const day of [1, 2, 3]) {
      const at = START + 2 * HOUR + day * DAY;
      await book.reserve({ id: `day ${day}`, at, purchase: LOOKUP, maxCredits: 1, minCredits: 0 });
      await tell(`day ${day}`, at);
      expect(await roomFor(book, at)).toBeLessThanOrEqual(9);
    }
  });
});

describe('an honest new period', () => {
  test('is recognized by the first answer after the reset, even one to a free request', async () => {
    const book = await nearlySpentBook();
    const after = RESET + MINUTE;
    expect((await book.reserve({ at: after, minCredits: 20 })).kind).toBe('unanswered');
    await book.buy(1, 999, { at: after, purchase: LOOKUP, maxCredits: 1, minCredits: 0 }, RESET + MONTH);
    expect(await book.budget(DESIGN, after)).toMatchObject({
      settled: 1,
      available: 99,
      period: { startsAt: RESET, resetsAt: RESET + MONTH, confirmed: true },
    });
  });

  test('that begins early is recognized by two answers, the first with the risen balance', async () => {
    const book = await nearlySpentBook();
    const early = START + 10 * DAY;
    await book.buy(5, 995, { at: early, maxCredits: 5, minCredits: 1 }, early + MONTH);
    await book.buy(1, 994, { at: early + MINUTE, maxCredits: 1, minCredits: 1 }, early + MONTH);
    expect(await book.budget(DESIGN, early + MINUTE)).toMatchObject({
      settled: 6,
      available: 94,
      period: { resetsAt: early + MONTH },
    });
    expect(await book.account(early + MINUTE)).toMatchObject({ byChannels: 6, outside: 0 });
  });

  test('that the server begins an hour late is waited for, on what is left of the one before', async () => {
    const book = await nearlySpentBook();
    const after = RESET + MINUTE;
    await book.buy(0, 910, { at: after, purchase: LOOKUP, maxCredits: 1, minCredits: 0 });
    expect(await roomFor(book, after)).toBeLessThanOrEqual(10);
    const asked = { at: after + MINUTE, minCredits: 20 };
    expect((await book.reserve(asked)).kind).toBe('unanswered');
    expect((await book.reserve({ ...asked, at: after + 2 * MINUTE })).kind).toBe('no-budget');
    const later = RESET + HOUR;
    await book.buy(1, 999, { at: later, purchase: LOOKUP, maxCredits: 1, minCredits: 0 }, RESET + MONTH);
    expect(await book.budget(DESIGN, later)).toMatchObject({ settled: 1, available: 99 });
  });

  test.each([
    ['by the risen balance', 999, RESET + MINUTE],
    ['after a day', 899, RESET + DAY + MINUTE],
  ])('is recognized where the server stops naming dates: %s', async (_, remaining, at) => {
    const book = await nearlySpentBook();
    const tell = (id: string, answer: ResponseCredits, now: number) =>
      book.store.transact((tx) => book.book.settleReservation(tx, id, answer, now));
    await book.reserve({ id: 'first', at: RESET + 1, purchase: LOOKUP, maxCredits: 1, minCredits: 0 });
    await tell('first', { consumed: 0, remaining: 910 }, RESET + 2);
    expect(await roomFor(book, RESET + 3)).toBeLessThanOrEqual(10);
    await book.reserve({ id: 'next', at, purchase: LOOKUP, maxCredits: 1, minCredits: 0 });
    await tell('next', { consumed: 1, remaining }, at);
    expect(await book.budget(DESIGN, at)).toMatchObject({ settled: 1, available: 99 });
  });
});
