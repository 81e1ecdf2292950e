/**
 * The effect of answers, rejections and missing answers on reservations, at the limits of periods and
 * budgets.
 */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/clock.ts';
import { channelLedgerRecords, ledgerRecords } from '../../src/credits/records.ts';
import type { ResponseCredits } from '../../src/marketplace/schema.ts';
import { deleteOldRecords } from '../../src/storage/delete-old-records.ts';
import { DESIGN, LOOKUP, openedBook, RESET, START, settledBook, WEB } from './books.ts';

type Book = Awaited<ReturnType<typeof settledBook>>;

/** An answer without a reset date of its own. */
const answer = (book: Book, id: string, told: ResponseCredits, at = START) =>
  book.store.transact((tx) => book.book.settleReservation(tx, id, told, at));

describe('an answer', () => {
  test('charges only those who pay something', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page', channels: [DESIGN, WEB] });
    expect(await book.settle('page', 1, 999)).toEqual({ shares: [{ channel: DESIGN, credits: 1 }] });
  });

  test('beyond the reservation is one entry, of all that it cost', async () => {
    const book = await settledBook(40);
    await book.reserve({ id: 'page', maxCredits: 20 });
    expect(await book.settle('page', 30, 970)).toEqual({ shares: [{ channel: DESIGN, credits: 30 }] });
    expect((await book.ledger()).map(({ credits }) => credits)).toEqual([30]);
    expect(await book.account()).toMatchObject({ outside: 0 });
  });

  test('that names no reset date tells the balance of the period it was asked for in', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await answer(book, 'page', { consumed: 10, remaining: 990 });
    expect(await book.account()).toMatchObject({ remaining: 990 });
  });

  test('of a request from before the reset that names none tells no balance of the new period', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    const later = RESET + HOUR;
    await answer(book, 'page', { consumed: 10, remaining: 4_990 }, later);
    expect((await book.account(later)).remaining).toBeUndefined();
    expect(await book.budget(DESIGN, later)).toMatchObject({ settled: 10 });
  });

  test('of a request from before the reset that names the new one tells its balance', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    const later = RESET + HOUR;
    await answer(book, 'page', { consumed: 10, remaining: 4_990, resetsAt: RESET + 28 * DAY }, later);
    expect(await book.account(later)).toMatchObject({ remaining: 4_990, byChannels: 10 });
  });

  test('that is not known any more changes nothing, its date neither', async () => {
    const book = openedBook();
    await answer(book, 'never', { consumed: 3, remaining: 5, resetsAt: START + DAY });
    expect(await book.account()).toMatchObject({ confirmed: false, byChannels: 0 });
  });

  test('to a second try of several channels holds what each may still owe', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'early' });
    await book.reserve({ id: 'twice', maxCredits: 20, channels: [DESIGN, WEB] });
    await book.tell('twice', { consumed: 5, remaining: 990, repeated: true });
    await book.release('early');
    for (const channel of [DESIGN, WEB]) {
      const { settled, reserved } = await book.budget(channel);
      expect(settled + reserved).toBe(10);
    }
    const total = (await book.budget(DESIGN)).settled + (await book.budget(WEB)).settled;
    expect(total).toBe(5);
  });

  test('to a second try that cost all it could holds nothing more', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'early' });
    await book.reserve({ id: 'twice', maxCredits: 20 });
    await book.tell('twice', { consumed: 20, remaining: 980, repeated: true });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 20, reserved: 100 });
  });

  test('without a balance leaves others’ lost requests to one that was asked for later', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'lost', maxCredits: 20 });
    await book.lose('lost');
    await book.reserve({ id: 'early' });
    await book.reserve({ id: 'blind' });
    await book.tell('blind', { consumed: 3, remaining: 0, assumed: 'remaining' });
    await book.settle('early', 2, 978);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 5, reserved: 20 });
    await book.buy(0, 975);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 25, reserved: 0 });
  });
});

describe('an answer that tells no cost', () => {
  const blind = { consumed: 8, remaining: 9_992, assumed: 'both' } as const;

  test('holds its own credits beside those of others like it, and a balance proves them all', async () => {
    const book = await settledBook();
    for (const id of ['one', 'two']) {
      await book.reserve({ id, maxCredits: 20 });
      await book.tell(id, blind);
    }
    await book.buy(0, 988);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 12, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 12, outside: 0 });
  });
});

describe('the second try of a lost lookup', () => {
  const lookup = { purchase: LOOKUP, minCredits: 1 };
  const lost = async () => {
    const book = await settledBook();
    await book.reserve({ ...lookup, id: 'lost', maxCredits: 3 });
    await book.lose('lost');
    return book;
  };

  test('may have cost what the first one did', async () => {
    const book = await lost();
    await book.reserve({ ...lookup, id: 'retry', maxCredits: 1 });
    expect(await book.settle('retry', 0, 999)).toEqual({ shares: [], atMost: 1 });
  });

  test('leaves reserved what it did not cost itself', async () => {
    const book = await lost();
    await book.reserve({ ...lookup, id: 'retry', maxCredits: 1 });
    await book.tell('retry', { consumed: 1, remaining: 0, assumed: 'remaining' });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 1, reserved: 2 });
  });

  test('lost as well gives all back for a third', async () => {
    const book = await lost();
    await book.reserve({ ...lookup, id: 'retry', maxCredits: 1 });
    await book.lose('retry');
    await book.reserve({ ...lookup, maxCredits: 3, minCredits: 3 });
    expect(await book.budget(DESIGN)).toMatchObject({ reserved: 3 });
  });

  test('that needs more than the first one held reserves its own credits', async () => {
    const book = await lost();
    await book.reserve({ ...lookup, maxCredits: 4, minCredits: 4 });
    expect(await book.budget(DESIGN)).toMatchObject({ reserved: 7 });
  });
});

describe('a release', () => {
  test('of what is not reserved changes nothing', async () => {
    const book = await settledBook();
    await book.release('never');
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, available: 500 });
  });
});

describe('a request whose cost nothing could prove', () => {
  test('is not judged by later balances either: what these lack was spent by others', async () => {
    const book = openedBook();
    await book.reserve({ id: 'lost' });
    await book.lose('lost');
    await book.buy(0, 1_000, { purchase: LOOKUP, maxCredits: 1, minCredits: 1 });
    await book.buy(0, 990);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 10 });
    expect(await book.account()).toMatchObject({ outside: 10 });
  });
});

describe('silence', () => {
  test('about what is not under way changes nothing', async () => {
    const book = await settledBook();
    await book.lose('never');
    await book.reserve({ id: 'lost', maxCredits: 20 });
    await book.lose('lost');
    await book.reserve({ id: 'later' });
    await book.lose('lost');
    await book.settle('later', 0, 990);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 10, reserved: 0 });
  });
});

describe('a refusal for want of credits', () => {
  test('of a request that is not known changes nothing', async () => {
    const book = await settledBook();
    await book.refuse('never', { remaining: 0 });
    expect((await book.account()).spentSince).toBeUndefined();
  });

  test('teaches the balance, and since when there is none', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'first' });
    await book.reserve({ id: 'second' });
    await book.refuse('first', { remaining: 4, resetsAt: RESET });
    await book.refuse('second', { remaining: 4, resetsAt: RESET }, START + HOUR);
    expect(await book.account()).toMatchObject({ remaining: 4, outside: 996, spentSince: START });
  });

  test('teaches the balance without a date, too', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 4 });
    expect(await book.account()).toMatchObject({ remaining: 4, outside: 996 });
  });

  test('tells until when, though its date is too far away to end a period', async () => {
    const book = openedBook();
    const until = START + 60 * DAY;
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 0, resetsAt: until });
    expect(await book.reserve()).toMatchObject({ kind: 'account-spent', until });
  });

  test('that leaves enough for a page tells no channel that the account is empty', async () => {
    for (const remaining of [10, 20]) {
      const book = await settledBook();
      await book.reserve({ id: 'page' });
      await book.refuse('page', { remaining });
      const more = { minCredits: remaining + 1 };
      expect(await book.reserve(more)).toMatchObject({ kind: 'account-spent', remaining });
      expect(await book.notices()).toEqual([]);
    }
  });

  test('that tells no balance is taken for none left', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', {});
    expect(await book.account()).toMatchObject({ remaining: 1_000, spentSince: START });
    expect(await book.reserve()).toMatchObject({ kind: 'account-spent', remaining: 0 });
  });

  test('that claims there was enough makes the next request smaller', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page', maxCredits: 50 });
    await book.refuse('page', { remaining: 700 });
    expect(await book.reserve()).toMatchObject({ amount: 49 });
  });

  test('is told to channels where no page can be bought any more', async () => {
    for (const [remaining, notices] of [
      [10, 0],
      [9, 1],
    ] as const) {
      const book = await settledBook();
      await book.reserve({ id: 'page' });
      await book.refuse('page', { remaining });
      expect(await book.notices()).toHaveLength(notices);
      expect((await book.account()).spentSince).toBe(notices ? START : undefined);
    }
  });

  test('that speaks of the period before says nothing of this one', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    const later = RESET + HOUR;
    await book.refuse('page', { remaining: 0, resetsAt: RESET }, later);
    expect((await book.account(later)).spentSince).toBeUndefined();
    expect(await book.budget(DESIGN, later)).toMatchObject({ reserved: 0 });
  });

  test('of a request from before the reset that names no date teaches no balance', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 3 }, RESET + HOUR);
    expect((await book.account(RESET + HOUR)).remaining).toBeUndefined();
  });

  test('is forgotten once the balance has risen, whatever was bought with it since', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'page' });
    await book.refuse('page', { remaining: 0 });
    await book.reserve({ id: 'free', purchase: LOOKUP, maxCredits: 10, minCredits: 0 });
    await book.settle('free', 10, 5);
    expect((await book.account()).spentSince).toBeUndefined();
    expect(await book.reserve()).toMatchObject({ amount: 100 });
  });
});

test('the ledgers keep a year and a month', async () => {
  const book = await settledBook();
  const month = 31 * DAY;
  let at = START;
  for (let number = 1; number <= 5; number++) await book.buy(number, 1_000 - number, { at });
  const all = (channel?: typeof DESIGN) => book.ledger(channel);
  expect(await all()).toHaveLength(5);
  at = START + 12 * month;
  await book.buy(6, 900, { at }, at + month);
  expect(await all(DESIGN)).toHaveLength(6);
  at = START + 397 * DAY;
  for (const credits of [7, 8]) await book.buy(credits, 900 - credits, { at }, at + 20 * DAY);
  const { signal } = new AbortController();
  await deleteOldRecords(book.store, ledgerRecords, at, signal);
  await deleteOldRecords(book.store, channelLedgerRecords, at, signal);
  for (const ledger of [await all(), await all(DESIGN)])
    expect(ledger.map(({ credits }) => credits).toSorted((a, b) => a - b)).toEqual([6, 7, 8]);
});
