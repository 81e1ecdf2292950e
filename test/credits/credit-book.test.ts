/** Budgets and the account when every answer arrives and is complete. */
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import type { Key, Transaction } from '../../src/storage/store.ts';
import { DATA, DESIGN, LOOKUP, openedBook, RESET, START, settledBook, WEB } from './books.ts';

describe('a budget', () => {
  test('pays for what was charged, and gives back what was only reserved', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page', maxCredits: 60 });
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
    expect(await book.reserve({ minCredits: 25 })).toMatchObject({ kind: 'reserved', amount: 25 });
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
    expect(await book.reserve({ purchase: LOOKUP, maxCredits: 1, minCredits: 1 })).toMatchObject({
      amount: 1,
    });
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

describe('the account', () => {
  test('shows what others spend on it', async () => {
    const book = await settledBook();
    await book.buy(10, 960);
    expect(await book.account()).toMatchObject({ remaining: 960, byChannels: 10, outside: 30 });
    expect(await book.ledger()).toMatchObject([
      { purchase: { endpoint: 'outside' }, credits: 30, shares: [] },
      { credits: 10, shares: [{ channel: DESIGN, credits: 10 }] },
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

  test('a charge beyond the reservation goes on the budget while it has room, else outside', async () => {
    const book = await settledBook(40);
    await book.reserve({ id: 'page', maxCredits: 20 });
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
    expect(await book.reserve()).toMatchObject({ kind: 'account-spent', remaining: 5, until: RESET });
    expect(await book.reserve({ purchase: LOOKUP, maxCredits: 1, minCredits: 1 })).toMatchObject({
      amount: 1,
    });
    expect(await book.notices()).toEqual([
      { channel: DESIGN, notice: { about: 'account-credits-spent', remaining: 5, resetsAt: RESET } },
    ]);
  });

  test('that is spent is tried again now and then, and buys on when the balance has risen', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 0 });
    expect(await book.account()).toMatchObject({ spentSince: START });
    expect(await book.reserve({ at: START + MINUTE / 2 })).toMatchObject({ kind: 'account-spent' });
    const later = START + MINUTE;
    expect(await book.reserve({ id: 'try', at: later })).toMatchObject({ kind: 'reserved', amount: 10 });
    expect(await book.reserve({ at: later })).toMatchObject({ kind: 'account-spent' });
    await book.settle('try', 10, 490, later);
    expect((await book.account(later)).spentSince).toBeUndefined();
    expect(await book.reserve({ at: later })).toMatchObject({ amount: 100 });
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
    expect((await book.ledger(DESIGN)).map(({ credits }) => credits)).toEqual([20, 10]);
  });
});

/** The transaction, noting what is read and written by collection and key. */
function noteCalls(tx: Transaction, reads: string[], writes: string[]): Transaction {
  const note = (notes: string[], name: string, key: Key) => void notes.push(`${name} ${key.join(' ')}`);
  return {
    trustedNow: () => tx.trustedNow(),
    has: (collection, key) => tx.has(collection, key),
    get(collection, key) {
      note(reads, collection.name, key);
      return tx.get(collection, key);
    },
    getMany(collection, keys) {
      for (const key of keys) note(reads, collection.name, key);
      return tx.getMany(collection, keys);
    },
    list(collection, options) {
      // A range with an end looks for old records to delete.
      if (!options.to) note(reads, collection.name, options.prefix ?? []);
      return tx.list(collection, options);
    },
    put(collection, value) {
      note(writes, collection.name, collection.key(value));
      return tx.put(collection, value);
    },
    delete(collection, key) {
      note(writes, collection.name, key);
      return tx.delete(collection, key);
    },
  };
}

test('reserving and settling read everything once, and store each record once', async () => {
  const { book, store, request } = await settledBook();
  const page = request({ channels: [DESIGN, WEB] });
  const noted = async (operation: (tx: Transaction) => Promise<unknown>) => {
    const reads: string[] = [];
    const writes: string[] = [];
    await store.transact((tx) => operation(noteCalls(tx, reads, writes)));
    expect(reads).toEqual(['credit-account ', 'credit-reservations ', 'credit-budgets ']);
    expect(writes).toEqual([...new Set(writes)]);
  };
  await noted((tx) => book.reserveCredits(tx, page));
  const answer = { consumed: 20, remaining: 975, resetsAt: RESET };
  await noted((tx) => book.settleReservation(tx, page.id, answer, START));
});

test('an open book reads everything once, stores each change at once, and shows it', async () => {
  const { book, store, request } = await settledBook();
  const channels = [DESIGN, WEB];
  const reads: string[] = [];
  const writes: string[] = [];
  await store.transact(async (tx) => {
    const opened = await book.openBook(noteCalls(tx, reads, writes), START);
    const expectAsStored = async () => {
      const budgets = channels.map((channel) => opened.readBudgetState(channel));
      const stored = channels.map((channel) => book.readBudgetState(tx, channel, START));
      expect(budgets).toEqual(await Promise.all(stored));
      expect(opened.readAccountState()).toEqual(await book.readAccountState(tx, START));
    };
    await expectAsStored();
    const page = request({ channels });
    expect(await opened.reserveCredits(page)).toMatchObject({ kind: 'reserved', payers: channels });
    await expectAsStored();
    const answer = { consumed: 20, remaining: 980, resetsAt: RESET };
    expect(await opened.settleReservation(page.id, answer)).toEqual({
      shares: channels.map((channel) => ({ channel, credits: 10 })),
    });
    expect(opened.readBudgetState(DESIGN)).toMatchObject({ settled: 10, reserved: 0 });
    const read = await book.readCredits(tx, START);
    expect(read.readBudgetState(WEB)).toEqual(opened.readBudgetState(WEB));
    expect(read.readAccountState()).toMatchObject({ remaining: 980, byChannels: 20 });
    await expectAsStored();
  });
  expect(reads.filter((each) => each.startsWith('credit-'))).toEqual([
    'credit-account ',
    'credit-reservations ',
    'credit-budgets ',
  ]);
});

test('a reservation stores no budget that stays the same', async () => {
  const settled = await settledBook();
  const { book, store, request } = settled;
  await settled.buy(12, 988, { channels: [DESIGN, WEB] });
  const writes: string[] = [];
  await store.transact((tx) =>
    book.reserveCredits(noteCalls(tx, [], writes), request({ channels: [DESIGN, WEB, DATA] })),
  );
  expect(writes.map((each) => each.split(' ').slice(0, 3).join(' '))).toEqual([
    'credit-budgets CDATA',
    'credit-account ',
    expect.stringContaining('credit-reservations '),
  ]);
});
