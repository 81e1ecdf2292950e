/** Detects a trial account by the highest balance ever seen. */
import { describe, expect, test } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { buildTrialFields, TRIAL_CREDITS } from '../../src/credits/balance.ts';
import type { CreditAccountRecord } from '../../src/credits/records.ts';
import { DESIGN, openedBook, RESET, START } from './books.ts';

const period = { number: 1, startsAt: START, resetsAt: RESET, confirmed: true, openedAt: START };

function anAccount(change: Partial<CreditAccountRecord> = {}): CreditAccountRecord {
  return { period, tally: { consumed: 0 }, byChannels: 0, outside: 0, ticks: 0, ...change };
}

describe('an account looks like a trial', () => {
  test.each([
    [undefined, false],
    [0, true],
    [TRIAL_CREDITS, true],
    [TRIAL_CREDITS + 1, false],
    [10_000, false],
  ])('with %s credits at the most: %s', (highest, expected) => {
    const account = anAccount(highest === undefined ? {} : { highestBalance: highest });
    expect(buildTrialFields(account).looksLikeTrial ?? false).toBe(expected);
  });

  test('when its first balance is 50, and still when all of it is spent', async () => {
    const book = openedBook();
    await book.buy(10, 40);
    expect(await book.account()).toMatchObject({ looksLikeTrial: true });
    await book.buy(40, 0, { maxCredits: 40 });
    expect(await book.account()).toMatchObject({ looksLikeTrial: true, remaining: 0 });
  });

  test('not when the balance before its first page was more', async () => {
    const book = openedBook();
    await book.buy(10, 41);
    expect((await book.account()).looksLikeTrial).toBeUndefined();
  });

  test('no longer after a top-up above 50, also when that is spent and after the reset', async () => {
    const book = openedBook();
    await book.buy(10, 40);
    await book.buy(10, 130);
    await book.buy(100, 30, { maxCredits: 100 });
    expect((await book.account()).looksLikeTrial).toBeUndefined();
    expect((await book.account(RESET + 5 * DAY)).looksLikeTrial).toBeUndefined();
  });

  test('not by answers that arrive in another order than they were given', async () => {
    const book = openedBook();
    await book.buy(0, 50);
    for (const id of ['a', 'b']) await book.reserve({ id, maxCredits: 10 });
    await book.settle('b', 10, 30);
    await book.settle('a', 10, 40);
    expect(await book.account()).toMatchObject({ looksLikeTrial: true });
  });

  test('not before any balance is known, nor by one that is only assumed', async () => {
    const book = openedBook();
    await book.reserve({ id: 'page' });
    await book.tell('page', { consumed: 10, remaining: 0, assumed: 'remaining' });
    expect((await book.account()).looksLikeTrial).toBeUndefined();
  });
});

describe('a spent account that looks like a trial', () => {
  test('is told of as one: to channels, and to whoever wants to buy', async () => {
    const book = openedBook();
    await book.buy(10, 40);
    await book.reserve({ id: 'page', maxCredits: 100 });
    await book.refuse('page', { remaining: 3, resetsAt: RESET });
    expect(await book.reserve()).toMatchObject({ kind: 'account-spent', looksLikeTrial: true, until: RESET });
    expect(await book.notices()).toEqual([
      {
        channel: DESIGN,
        notice: {
          about: 'account-credits-spent',
          remaining: 3,
          resetsAt: RESET,
          looksLikeTrial: true,
        },
      },
    ]);
  });
});
