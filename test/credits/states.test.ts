/** Budget and account states as people see them, and the notices to channels. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/clock.ts';
import { decideBudgetNotice } from '../../src/credits/budgets.ts';
import { DESIGN, openedBook, RESET, START, settledBook, WEB } from './books.ts';

describe('a budget shows', () => {
  test('when it runs out at the pace since its channel began', async () => {
    const book = await settledBook();
    await book.buy(100, 900);
    await book.buy(100, 800, { channels: [WEB], at: START + 4 * DAY });
    expect(await book.budget(DESIGN, START + 4 * DAY)).toMatchObject({ runsOutAt: START + 20 * DAY });
    expect(await book.budget(WEB, START + 8 * DAY)).toMatchObject({ runsOutAt: START + 24 * DAY });
    expect((await book.budget(DESIGN, START + HOUR / 3)).runsOutAt).toBeUndefined();
    expect(await book.budget(DESIGN, START + HOUR)).toMatchObject({ isEarly: true });
    expect((await book.budget(DESIGN, START + 4 * DAY)).isEarly).toBeUndefined();
  });

  test('its own period’s pace after a reset', async () => {
    const book = await settledBook();
    await book.buy(100, 900);
    await book.buy(50, 950, { at: RESET + DAY }, RESET + 28 * DAY);
    expect(await book.budget(DESIGN, RESET + 2 * DAY)).toMatchObject({
      settled: 50,
      runsOutAt: RESET + 20 * DAY,
    });
  });

  test('that it is unlimited', async () => {
    const book = await settledBook();
    expect(await book.setBudget(DESIGN, 'unlimited')).toMatchObject({ limit: 'unlimited' });
  });

  test('that it is the channel’s own once somebody has set it, and not by spending alone', async () => {
    const book = await settledBook();
    expect((await book.budget(DESIGN)).isOwn).toBeUndefined();
    await book.setBudget(DESIGN, 500);
    expect(await book.budget(DESIGN)).toMatchObject({ limit: 500, isOwn: true });
  });

  test('beside those of all other channels', async () => {
    const book = await settledBook();
    await book.buy(30, 970, { channels: [WEB] });
    const all = await book.store.read((tx) => book.book.readBudgetStates(tx, START));
    expect(all.map(({ channel, settled }) => [channel, settled])).toEqual([
      [DESIGN, 0],
      [WEB, 30],
    ]);
  });
});

describe('the account shows', () => {
  test('when it runs out, others’ spending counted', async () => {
    const book = await settledBook();
    await book.buy(80, 900);
    expect(await book.account()).toMatchObject({ byChannels: 80, outside: 20 });
    expect(await book.account(START + 2 * DAY)).toMatchObject({ runsOutAt: START + 20 * DAY });
    expect((await book.account(START + HOUR / 3)).runsOutAt).toBeUndefined();
  });

  test('neither a balance nor its end before one was told', async () => {
    const book = openedBook();
    await book.reserve({ id: 'page' });
    await book.tell('page', { consumed: 10, remaining: 0, assumed: 'remaining' });
    const account = await book.account(START + 2 * DAY);
    expect(account.remaining).toBeUndefined();
    expect(account.runsOutAt).toBeUndefined();
    expect(account).toMatchObject({ byChannels: 10 });
  });
});

describe('a channel is told', () => {
  test.each([
    [80, 100, 'low'],
    [79, 100, undefined],
    [90, 100, 'low'],
    [91, 100, 'spent'],
    [41, 60, 'low'],
    [40, 60, undefined],
    [1, 20, 'low'],
    [11, 20, 'spent'],
    [1_000, Number.POSITIVE_INFINITY, undefined],
  ] as const)('at %d of %d: %s', (used, limit, news) => {
    expect(decideBudgetNotice(used, limit)).toBe(news);
  });

  test('of a budget that runs low, and when it will be used up where that can be said', async () => {
    const early = await settledBook();
    await early.buy(400, 600, { maxCredits: 400 });
    const low = { about: 'budget-low', used: 400, limit: 500, resetsAt: RESET };
    expect(await early.notices()).toEqual([{ channel: DESIGN, notice: low }]);
    const late = await settledBook();
    const at = START + 8 * DAY;
    await late.buy(400, 600, { maxCredits: 400, at });
    expect(await late.notices()).toEqual([{ channel: DESIGN, notice: { ...low, runsOutAt: at + 2 * DAY } }]);
  });

  test('of each budget that is spent, also of the same one raised', async () => {
    const book = await settledBook();
    await book.setBudget(DESIGN, 15);
    await book.buy(10, 990);
    await book.setBudget(DESIGN, 25);
    await book.buy(10, 980);
    expect((await book.notices()).map(({ notice }) => notice)).toMatchObject([
      { about: 'budget-spent', left: 5, limit: 15 },
      { about: 'budget-spent', left: 5, limit: 25 },
    ]);
  });
});
