import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { DATA, DESIGN, FILTER, LOOKUP, openedBook, RESET, START, WEB } from './books.ts';

/** A book that has had its first answer, with 1,000 credits on the account. */
async function settledBook(defaultBudget = 500) {
  const book = openedBook(defaultBudget);
  await book.buy(0, 1_000);
  return book;
}

describe('a budget', () => {
  test('pays for what was charged, and gives back what was only reserved', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page', want: 60 });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 60, available: 440 });
    const settlement = await book.settle('page', 12, 988);
    expect(settlement.shares).toEqual([{ channel: DESIGN, credits: 12 }]);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 12, reserved: 0, available: 488 });
  });

  test('settling twice is settling once', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.settle('page', 12, 988);
    expect(await book.settle('page', 12, 988)).toEqual({ shares: [] });
    expect(await book.account()).toMatchObject({ byChannels: 12, outside: 0 });
  });

  test('never lets more be reserved than is left, and refuses what is of no use', async () => {
    const book = await settledBook(25);
    expect(await book.reserve()).toMatchObject({ kind: 'reserved', amount: 25 });
    expect(await book.reserve()).toEqual({ kind: 'no-budget', broke: [DESIGN] });
  });

  test('of a refused request is free again', async () => {
    const book = await settledBook(25);
    await book.reserve({ id: 'page' });
    await book.release('page');
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 0, available: 25 });
  });

  test('keeps its last credits for lookups', async () => {
    const book = await settledBook(15);
    await book.buy(10, 990);
    expect(await book.reserve()).toMatchObject({ kind: 'no-budget' });
    expect(await book.reserve({ purchase: LOOKUP, want: 1, atLeast: 1 })).toMatchObject({ amount: 1 });
  });

  test('set below what is spent buys nothing more; unlimited buys whatever is wanted', async () => {
    const book = await settledBook();
    await book.buy(80, 920);
    expect(await book.setBudget(DESIGN, 50)).toMatchObject({ limit: 50, settled: 80, available: 0 });
    expect(await book.reserve()).toMatchObject({ kind: 'no-budget' });
    expect(await book.setBudget(DESIGN, 'unlimited')).toMatchObject({ available: Number.POSITIVE_INFINITY });
    expect(await book.reserve()).toMatchObject({ amount: 100 });
  });

  test('of several channels is charged in equal whole parts, the odd credit in turns', async () => {
    const book = await settledBook();
    const channels = [DESIGN, WEB, DATA];
    for (let page = 1; page <= 6; page++) await book.buy(10, 1_000 - 10 * page, { channels });
    for (const channel of channels) expect(await book.budget(channel)).toMatchObject({ settled: 20 });
  });

  test('that is used up leaves the cost to the others, and the channel is told once', async () => {
    const book = await settledBook();
    await book.setBudget(WEB, 5);
    const channels = [DESIGN, WEB];
    expect(await book.reserve({ id: 'page', channels })).toMatchObject({ payers: [DESIGN], broke: [WEB] });
    await book.settle('page', 7, 993);
    await book.buy(7, 986, { channels });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 14 });
    expect(await book.notices()).toEqual([
      { channel: WEB, notice: { about: 'budget-spent', left: 5, limit: 5, resetsAt: RESET } },
    ]);
  });
});

describe('the first request of a period', () => {
  test('is small, so that little is at stake until the balance is known', async () => {
    const book = openedBook();
    expect(await book.reserve({ id: 'first' })).toMatchObject({ amount: 10 });
    await book.settle('first', 10, 990);
    expect(await book.reserve()).toMatchObject({ amount: 100 });
  });
});

describe('a lost answer', () => {
  test('is booked at what the next balance proves', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', want: 50 });
    await book.lose('lost');
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 50 });
    await book.buy(3, 1_000 - 20 - 3);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 23, reserved: 0 });
    expect((await book.ledger()).map(({ credits }) => credits)).toEqual([20, 3]);
  });

  test('that a crash left behind is treated alike', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', want: 50 });
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

  test('makes later requests small, so that an outage does not tie up the budget', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', want: 50 });
    await book.lose('lost');
    expect(await book.reserve()).toMatchObject({ amount: 10 });
  });

  test('never locks a budget for good: a request that costs nothing learns the balance that frees it', async () => {
    const book = await settledBook(25);
    await book.reserve({ id: 'lost' });
    await book.lose('lost');
    expect(await book.reserve()).toEqual({ kind: 'unanswered', broke: [DESIGN] });
    const free = { id: 'free', purchase: LOOKUP, want: 1, atLeast: 0 };
    expect(await book.reserve(free)).toMatchObject({ kind: 'reserved', amount: 0 });
    await book.settle('free', 0, 980);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 20, reserved: 0, available: 5 });
  });

  test('of a page is never repeated with the same credits: other projects may be on it', async () => {
    const book = await settledBook(25);
    await book.reserve({ id: 'lost', want: 12 });
    await book.lose('lost');
    expect(await book.reserve({ id: 'retry', want: 10 })).toMatchObject({ kind: 'reserved' });
    expect(await book.budget(DESIGN)).toMatchObject({ reserved: 22, available: 3 });
    await book.settle('retry', 10, 1_000 - 12 - 10);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 22, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 22, outside: 0 });
  });

  test('of a lookup is repeated with the same credit, since one project costs one credit', async () => {
    const book = openedBook(1);
    const other = { ...LOOKUP, subject: '~02' };
    await book.buy(0, 1_000, { purchase: other, want: 1, atLeast: 1 });
    await book.reserve({ id: 'lost', purchase: LOOKUP, want: 1, atLeast: 1 });
    await book.lose('lost');
    expect(await book.reserve({ id: 'retry', purchase: LOOKUP, want: 1, atLeast: 1 })).toMatchObject({
      kind: 'reserved',
    });
    await book.settle('retry', 0, 999);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 1, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 1, outside: 0 });
  });

  test('stays reserved where nothing can prove what it cost: before the first balance, or after a top-up', async () => {
    const book = openedBook();
    await book.reserve({ id: 'lost' });
    await book.lose('lost');
    expect(await book.reserve()).toMatchObject({ kind: 'unanswered' });
    await book.buy(0, 1_000, { purchase: LOOKUP, want: 1, atLeast: 1 });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 10 });
    await book.reserve({ id: 'lost-too', want: 30 });
    await book.lose('lost-too');
    await book.buy(0, 1_200);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 40 });
    expect(await book.budget(DESIGN, RESET + DAY)).toMatchObject({ settled: 0, reserved: 0 });
  });
});

describe('the account', () => {
  test('shows what others spend on it', async () => {
    const book = await settledBook();
    await book.buy(10, 960);
    expect(await book.account()).toMatchObject({ remaining: 960, byChannels: 10, outside: 30 });
    expect(await book.ledger()).toMatchObject([
      { purchase: { endpoint: 'outside' }, credits: 30, shares: [] },
      { purchase: FILTER, credits: 10, shares: [{ channel: DESIGN, credits: 10 }] },
    ]);
  });

  test('sees no others in answers that arrive in another order than they were given', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'a' });
    await book.reserve({ id: 'b' });
    await book.reserve({ id: 'c' });
    await book.settle('c', 5, 970);
    await book.settle('a', 10, 990);
    await book.settle('b', 15, 975);
    expect(await book.account()).toMatchObject({ byChannels: 30, outside: 0 });
  });

  test('recognises a top-up, and counts on from there', async () => {
    const book = await settledBook();
    await book.buy(10, 1_490);
    expect(await book.account()).toMatchObject({ outside: 0 });
    await book.buy(10, 1_475);
    expect(await book.account()).toMatchObject({ outside: 5 });
  });

  test('charged beyond the reservation is booked as it is: on the budget while it can take it, else outside', async () => {
    const book = await settledBook(40);
    await book.reserve({ id: 'page', want: 20 });
    await book.settle('page', 55, 945);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 40, available: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 40, outside: 15 });
  });

  test('refused with a 402 lets smaller requests through, and those that would not fit wait', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 25, resetsAt: RESET });
    expect(await book.reserve({ id: 'smaller' })).toMatchObject({ amount: 25 });
    await book.settle('smaller', 20, 5);
    expect(await book.reserve()).toEqual({ kind: 'account-spent', remaining: 5, until: RESET });
    expect(await book.reserve({ purchase: LOOKUP, want: 1, atLeast: 1 })).toMatchObject({ amount: 1 });
    expect(await book.notices()).toEqual([
      { channel: DESIGN, notice: { about: 'account-credits-spent', remaining: 5, resetsAt: RESET } },
    ]);
  });

  test('that is spent is tried again now and then, and buys on when the balance has risen', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 0 });
    expect(await book.account()).toMatchObject({ spentSince: START });
    expect(await book.reserve({ at: START + MINUTE })).toMatchObject({ kind: 'account-spent' });
    const later = START + 10 * MINUTE;
    expect(await book.reserve({ id: 'try', at: later })).toMatchObject({ kind: 'reserved', amount: 10 });
    expect(await book.reserve({ at: later })).toMatchObject({ kind: 'account-spent' });
    await book.settle('try', 10, 490, later);
    expect((await book.account(later)).spentSince).toBeUndefined();
    expect(await book.reserve({ at: later })).toMatchObject({ amount: 100 });
  });
});

describe('an answer that does not tell all', () => {
  test('came to a second try: what the first may have cost is proved by its balance, on the same budget', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'twice', purchase: LOOKUP, want: 1, atLeast: 1 });
    await book.tell('twice', { consumed: 0, remaining: 999, repeated: true });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 1, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 1, outside: 0 });
  });

  test('and cost nothing twice gives all back', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'twice', want: 10 });
    await book.tell('twice', { consumed: 4, remaining: 996, repeated: true });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 4, reserved: 0 });
  });

  test('without what it charged: its balance proves it', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'untold', want: 20 });
    await book.tell('untold', { consumed: 8, remaining: 995, assumed: 'consumed' });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 5, reserved: 0 });
  });

  test('without a balance: what was assumed in its place blames nobody', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'blind', want: 20 });
    await book.tell('blind', { consumed: 3, remaining: 9_997, assumed: 'remaining' });
    expect(await book.account()).toMatchObject({ byChannels: 3, outside: 0, remaining: 1_000 });
    await book.buy(2, 995);
    expect(await book.account()).toMatchObject({ byChannels: 5, outside: 0, remaining: 995 });
  });

  test('with neither: as many as came stay reserved until a balance is told', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'blind', want: 20 });
    await book.tell('blind', { consumed: 8, remaining: 9_992, assumed: 'both' });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 8 });
    await book.buy(0, 994);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 6, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 6, outside: 0 });
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

describe('a billing period', () => {
  test('is the calendar month in UTC until the server names its end', async () => {
    const book = openedBook();
    const assumed = { startsAt: Date.UTC(2026, 0, 1), resetsAt: Date.UTC(2026, 1, 1), confirmed: false };
    expect((await book.budget(DESIGN)).period).toEqual(assumed);
    await book.buy(5, 900, {}, Date.UTC(2026, 0, 20));
    const told = { startsAt: Date.UTC(2025, 11, 20), resetsAt: Date.UTC(2026, 0, 20), confirmed: true };
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 5, period: told });
  });

  test('ends with its reset: budgets are whole again, the next end is assumed a month on', async () => {
    const book = await settledBook();
    await book.buy(50, 950);
    expect(await book.budget(DESIGN, RESET)).toMatchObject({
      settled: 0,
      available: 500,
      period: { startsAt: RESET, resetsAt: Date.UTC(2026, 2, 1), confirmed: false },
    });
  });

  test('begins when the reset date jumps on, before our clock has reached it', async () => {
    const book = await settledBook();
    await book.buy(50, 950);
    await book.buy(7, 993, {}, Date.UTC(2026, 2, 1));
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 7, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 7, outside: 0 });
  });

  test('keeps what was reserved across its end, and bears it only where the server charged the new one', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'old', want: 20 });
    await book.reserve({ id: 'new', want: 30 });
    const after = RESET + MINUTE;
    expect(await book.budget(DESIGN, after)).toMatchObject({ settled: 0, reserved: 50 });
    await book.settle('old', 20, 980, after, RESET);
    expect(await book.budget(DESIGN, after)).toMatchObject({ settled: 0, reserved: 30 });
    await book.settle('new', 30, 9_970, after, Date.UTC(2026, 2, 1));
    expect(await book.budget(DESIGN, after)).toMatchObject({ settled: 30, reserved: 0 });
    expect((await book.ledger()).length).toBe(2);
  });

  test('bears what was asked for before its beginning and given up after, since it may have been charged to it', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', want: 30 });
    const after = RESET + MINUTE;
    await book.lose('lost', after);
    await book.buy(0, 5_000, { at: after, purchase: LOOKUP, atLeast: 1 }, Date.UTC(2026, 2, 1));
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
  test('come once at 80 %, with the day on which the budget runs out, and again for a raised budget', async () => {
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
    await book.buy(95, 905);
    expect(await book.notices()).toEqual([
      { channel: DESIGN, notice: { about: 'budget-spent', left: 5, limit: 100, resetsAt: RESET } },
    ]);
  });

  test('do not come for a budget that only waits for answers', async () => {
    const book = await settledBook(100);
    await book.reserve();
    expect(await book.reserve()).toMatchObject({ kind: 'no-budget' });
    expect(await book.notices()).toEqual([]);
  });
});

describe('the ledger', () => {
  test('has one entry for each charged answer, newest first, also for one channel', async () => {
    const book = await settledBook();
    await book.buy(10, 990, { at: START + 1 });
    await book.buy(0, 990, { at: START + 2 });
    await book.buy(20, 970, { at: START + 3, channels: [DESIGN, WEB] });
    expect((await book.ledger()).map(({ at, credits }) => [at - START, credits])).toEqual([
      [3, 20],
      [1, 10],
    ]);
    expect(await book.ledger(WEB)).toMatchObject([{ credits: 20 }]);
  });
});
