/** The limits of a billing period, records that outlive it, and warnings to channels within it. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { DESIGN, LOOKUP, openedBook, RESET, START, settledBook } from './books.ts';

describe('a billing period', () => {
  test('is the calendar month in UTC until the server names its end', async () => {
    const book = openedBook();
    const assumed = { startsAt: Date.UTC(2026, 0, 1), resetsAt: Date.UTC(2026, 1, 1), confirmed: false };
    expect((await book.budget(DESIGN)).period).toEqual(assumed);
    await book.buy(5, 900, {}, Date.UTC(2026, 0, 20));
    const told = { startsAt: Date.UTC(2025, 11, 20), resetsAt: Date.UTC(2026, 0, 20), confirmed: true };
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 5, period: told });
  });

  test('ends with its reset, as soon as an answer names the next: budgets are whole again', async () => {
    const book = await settledBook();
    await book.buy(50, 950);
    const after = RESET + MINUTE;
    expect(await book.budget(DESIGN, after)).toMatchObject({ settled: 50, period: { isOver: true } });
    const next = Date.UTC(2026, 2, 1);
    await book.buy(0, 1_000, { at: after, purchase: LOOKUP, minCredits: 0 }, next);
    expect(await book.budget(DESIGN, after)).toMatchObject({
      settled: 0,
      available: 500,
      period: { startsAt: RESET, resetsAt: next, confirmed: true },
    });
  });

  test('ends with the month if the server named no date; the next is assumed a month later', async () => {
    const book = openedBook();
    const tell = { consumed: 50, remaining: 950, resetsAt: Number.NaN };
    await book.reserve({ id: 'page', minCredits: 50 });
    await book.tell('page', tell);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 50, period: { confirmed: false } });
    expect(await book.budget(DESIGN, RESET)).toMatchObject({
      settled: 0,
      available: 500,
      period: { startsAt: RESET, resetsAt: Date.UTC(2026, 2, 1), confirmed: false },
    });
  });

  test('begins when the reset date jumps on, before our clock has reached it', async () => {
    const book = await settledBook();
    await book.buy(50, 950);
    const early = START + 3 * DAY;
    await book.buy(7, 993, { at: early }, early + 30 * DAY);
    await book.buy(1, 992, { at: early }, early + 30 * DAY);
    expect(await book.budget(DESIGN, early)).toMatchObject({ settled: 8, reserved: 0 });
    expect(await book.account(early)).toMatchObject({ byChannels: 8, outside: 0 });
  });

  test('keeps reservations across its end; they count only if the server charges the new one', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'old', maxCredits: 20 });
    await book.reserve({ id: 'new', maxCredits: 30 });
    const after = RESET + MINUTE;
    expect(await book.budget(DESIGN, after)).toMatchObject({ settled: 0, reserved: 50 });
    await book.settle('old', 20, 980, after, RESET);
    expect(await book.budget(DESIGN, after)).toMatchObject({ settled: 20, reserved: 30 });
    await book.settle('new', 30, 9_970, after, Date.UTC(2026, 2, 1));
    expect(await book.budget(DESIGN, after)).toMatchObject({ settled: 30, reserved: 0 });
    expect((await book.ledger()).length).toBe(2);
  });

  test('counts requests from before its start given up later: they may be charged to it', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', maxCredits: 30 });
    const after = RESET + MINUTE;
    await book.lose('lost', after);
    await book.buy(0, 5_000, { at: after, purchase: LOOKUP, minCredits: 1 }, Date.UTC(2026, 2, 1));
    expect(await book.budget(DESIGN, after)).toMatchObject({ settled: 0, reserved: 30 });
  });

  test('forgets that the account was spent', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 0, resetsAt: RESET });
    expect(await book.reserve({ at: RESET })).toMatchObject({ kind: 'reserved' });
  });
});

describe('warnings', () => {
  test('come once at 80%, with the day the budget runs out, and again for a raised budget', async () => {
    const book = await settledBook(100);
    const later = START + 4 * DAY;
    await book.buy(79, 921, { at: later });
    expect(await book.notices()).toEqual([]);
    await book.buy(1, 920, { at: later });
    await book.buy(1, 919, { at: later });
    expect(await book.notices()).toEqual([
      {
        channel: DESIGN,
        notice: { about: 'budget-low', used: 80, limit: 100, resetsAt: RESET, runsOutAt: later + DAY },
      },
    ]);
    await book.setBudget(DESIGN, 200, later);
    await book.buy(80, 839, { at: later + HOUR });
    expect((await book.notices()).map(({ notice }) => notice)).toMatchObject([
      { limit: 100 },
      { about: 'budget-low', used: 161, limit: 200 },
    ]);
  });

  test('say when no page can be bought any more', async () => {
    const book = await settledBook(100);
    await book.buy(90, 910);
    await book.buy(5, 905);
    expect(await book.notices()).toMatchObject([
      { channel: DESIGN, notice: { about: 'budget-low', used: 90 } },
      { channel: DESIGN, notice: { about: 'budget-spent', left: 5, limit: 100, resetsAt: RESET } },
    ]);
  });

  test('do not come for a budget that only waits for answers', async () => {
    const book = await settledBook(100);
    await book.reserve();
    await book.reserve();
    expect(await book.reserve()).toMatchObject({ kind: 'no-budget' });
    expect(await book.notices()).toEqual([]);
  });
});
