/** Money while it is in doubt whether a new billing period has begun. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { creditReservations } from '../../src/credits/records.ts';
import { ANN, DESIGN, LOOKUP, openedBook, RESET, START, settledBook, WEB } from './books.ts';

const NEXT_RESET = Date.UTC(2026, 2, 1);
/** A date that only a new period can have: more than a day after the old end. */
const JUMPED = Date.UTC(2026, 1, 8);
const AFTER = RESET + MINUTE;
const EARLY = START + DAY;
const ONE = { purchase: LOOKUP, maxCredits: 1, minCredits: 1 };

/** Two answers have agreed on the reset, and 10 credits are spent. */
async function agreedBook() {
  const book = await settledBook();
  await book.buy(10, 990);
  return book;
}

/** A risen balance and a later date have begun a period before the old one's end. */
async function begunBook() {
  const book = await agreedBook();
  await book.reserve({ id: 'old' });
  await book.buy(7, 1_500, { at: EARLY }, JUMPED);
  return book;
}

describe('a reset date that jumps on', () => {
  test('begins no period while the balance only falls', async () => {
    const book = await agreedBook();
    await book.buy(7, 983, { at: EARLY }, JUMPED);
    expect(await book.account(EARLY)).toMatchObject({ resetsAt: RESET, byChannels: 17 });
  });

  test('begins one with a balance that rose, though the answer’s own cost hides it', async () => {
    const book = await agreedBook();
    await book.buy(50, 980, { at: EARLY }, JUMPED);
    expect(await book.account(EARLY)).toMatchObject({ resetsAt: JUMPED, byChannels: 50 });
  });

  test('is not taken back by a late answer to a request from before it', async () => {
    const book = await begunBook();
    expect(await book.settle('old', 12, 988, EARLY)).toEqual({ shares: [{ channel: DESIGN, credits: 12 }] });
    expect(await book.account(EARLY)).toMatchObject({ resetsAt: JUMPED, byChannels: 7 });
    await book.buy(1, 1_499, { at: EARLY }, JUMPED);
    expect(await book.budget(DESIGN, EARLY)).toMatchObject({ settled: 8, period: { resetsAt: JUMPED } });
  });

  test('is taken back by two answers with the old date; everything spent since counts', async () => {
    const book = await begunBook();
    await book.settle('old', 12, 988, EARLY);
    await book.buy(0, 1_500, { at: EARLY }, JUMPED);
    await book.buy(5, 1_475, { channels: [WEB], at: EARLY }, JUMPED);
    expect(await book.account(EARLY)).toMatchObject({ byChannels: 12, outside: 20 });
    for (const remaining of [1_472, 1_469]) await book.buy(3, remaining, { at: EARLY });
    expect(await book.account(EARLY)).toMatchObject({ resetsAt: RESET, byChannels: 40, outside: 20 });
    expect(await book.budget(DESIGN, EARLY)).toMatchObject({ settled: 35 });
    expect(await book.budget(WEB, EARLY)).toMatchObject({ settled: 5 });
  });

  test('is taken back by one such answer while it is in doubt', async () => {
    const book = await begunBook();
    await book.buy(3, 1_497, { at: EARLY });
    expect(await book.account(EARLY)).toMatchObject({ resetsAt: RESET, byChannels: 20, outside: 0 });
  });
});

describe('an answer after the reset with the old date', () => {
  test('tells no balance of the new period', async () => {
    const book = await agreedBook();
    await book.reserve({ id: 'page', at: AFTER });
    await book.settle('page', 10, 980, AFTER, RESET);
    expect((await book.account(AFTER)).remaining).toBeUndefined();
  });

  test('days later is booked in the ledger alone', async () => {
    const book = await agreedBook();
    await book.reserve({ id: 'old' });
    await book.buy(4, 2_996, { at: AFTER }, NEXT_RESET);
    const late = RESET + 2 * DAY;
    await book.buy(2, 2_994, { at: late }, NEXT_RESET);
    await book.settle('old', 12, 978, late, RESET);
    expect(await book.account(late)).toMatchObject({ byChannels: 6, outside: 0, remaining: 2_994 });
    expect(await book.budget(DESIGN, late)).toMatchObject({ settled: 6, reserved: 0 });
    expect((await book.ledger()).map(({ credits }) => credits)).toContain(12);
  });
});

describe('a late answer that tells the old period’s lower balance', () => {
  /** The new period has begun, two answers agree on its end, and its balance is 2,994. */
  async function laterBook() {
    const book = await agreedBook();
    await book.reserve({ id: 'old' });
    await book.buy(4, 2_996, { at: AFTER }, NEXT_RESET);
    await book.buy(2, 2_994, { at: AFTER }, NEXT_RESET);
    return book;
  }

  test.each([
    ['with the old date', RESET],
    ['without a date', Number.NaN],
  ])('%s: the next answer, with a balance that falls, is no rise', async (_, named) => {
    const book = await laterBook();
    await book.settle('old', 12, 978, AFTER, named);
    const late = RESET + 2 * DAY;
    const { byChannels } = await book.account(late);
    await book.buy(1, 2_981, { at: late }, NEXT_RESET + 7 * DAY);
    expect(await book.account(late)).toMatchObject({ resetsAt: NEXT_RESET, byChannels: byChannels + 1 });
  });

  test('leaves a real rise to be seen', async () => {
    const book = await laterBook();
    await book.settle('old', 12, 978, AFTER, RESET);
    const late = RESET + 2 * DAY;
    await book.buy(1, 4_999, { at: late }, NEXT_RESET + 7 * DAY);
    expect(await book.account(late)).toMatchObject({ resetsAt: NEXT_RESET + 7 * DAY, byChannels: 1 });
  });
});

describe('a request under way at the reset', () => {
  test('stays reserved in the new period, and is charged there if the server does so', async () => {
    const book = await agreedBook();
    await book.reserve({ id: 'old', maxCredits: 20 });
    await book.buy(0, 3_000, { ...ONE, at: AFTER }, NEXT_RESET);
    expect(await book.budget(DESIGN, AFTER)).toMatchObject({ settled: 0, reserved: 20, available: 480 });
    await book.settle('old', 15, 2_985, AFTER, NEXT_RESET);
    expect(await book.budget(DESIGN, AFTER)).toMatchObject({ settled: 15, reserved: 0 });
  });

  test('but lost before it is forgotten once the old period cannot return', async () => {
    const book = await agreedBook();
    await book.reserve({ id: 'lost', maxCredits: 20 });
    await book.lose('lost');
    await book.buy(0, 3_000, { ...ONE, at: AFTER }, NEXT_RESET);
    const late = RESET + 2 * DAY;
    await book.buy(0, 3_000, { ...ONE, at: late }, NEXT_RESET);
    await book.buy(0, 3_000, { ...ONE, at: late }, NEXT_RESET);
    const kept = await book.store.read((tx) => tx.list(creditReservations, { limit: 9 }));
    expect(kept).toEqual([]);
    expect(await book.budget(DESIGN, late)).toMatchObject({ reserved: 0, available: 500 });
  });
});

describe('after the reset, a channel that had used up its budget', () => {
  /** DESIGN has spent 50 of 50, WEB nothing. */
  const usedUp = async (spent = 50) => {
    const book = await settledBook(50);
    await book.buy(spent, 1_000 - spent);
    await book.reserve({ id: 'none', channels: [WEB] });
    await book.release('none');
    return book;
  };

  test('waits for a free request first, and asks again after five minutes', async () => {
    const book = await usedUp();
    expect(await book.reserve({ at: AFTER })).toMatchObject({ kind: 'unanswered', broke: [] });
    expect(await book.reserve({ at: AFTER + 5 * MINUTE - 1 })).toMatchObject({ kind: 'no-budget' });
    expect(await book.reserve({ at: AFTER + 5 * MINUTE })).toMatchObject({ kind: 'unanswered' });
  });

  test('waits though another could pay alone', async () => {
    const book = await usedUp();
    expect(await book.reserve({ channels: [DESIGN, WEB], at: AFTER })).toMatchObject({ kind: 'unanswered' });
  });

  test('needs not wait for what the old period would still allow', async () => {
    const book = await usedUp(40);
    expect(await book.reserve({ at: AFTER })).toMatchObject({ kind: 'reserved', amount: 10 });
  });

  test('pays a free request from the new budget, and the single credit of a person', async () => {
    const free = { purchase: LOOKUP, minCredits: 0, maxCredits: 20, at: AFTER };
    expect(await (await usedUp()).reserve(free)).toMatchObject({ kind: 'reserved', amount: 20 });
    const person = { ...ONE, user: ANN, at: AFTER };
    expect(await (await usedUp()).reserve(person)).toMatchObject({ kind: 'reserved', amount: 1 });
    const { user: _, ...nobody } = person;
    expect(await (await usedUp()).reserve(nobody)).toMatchObject({ kind: 'unanswered' });
    expect(await (await usedUp()).reserve({ user: ANN, at: AFTER })).toMatchObject({ kind: 'unanswered' });
  });
});

describe('a budget’s period', () => {
  test('is over from the moment of its reset', async () => {
    const book = await agreedBook();
    expect((await book.budget(DESIGN, RESET)).period).toMatchObject({ isOver: true });
    expect((await book.budget(DESIGN, RESET - 1)).period.isOver).toBeUndefined();
  });

  test('is too early for a forecast only where something was spent', async () => {
    const book = await settledBook();
    expect((await book.budget(DESIGN, START + HOUR)).isEarly).toBeUndefined();
  });
});

test('a free request before the first balance reserves nothing', async () => {
  const book = openedBook();
  const free = { purchase: LOOKUP, minCredits: 0, maxCredits: 10 };
  expect(await book.reserve(free)).toMatchObject({ kind: 'reserved', amount: 0 });
});
