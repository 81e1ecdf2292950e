/** Channels without an admin's confirmation share one default budget. */
import { describe, expect, test } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { ChannelId } from '../../src/ids.ts';
import { ANN, DATA, DESIGN, LOOKUP, openedBook, RESET, START, WEB } from './books.ts';

const DIRECT = ChannelId.parse('D1');

/** Reserves without a confirmation. */
function pooledBook(budget = 50) {
  const opened = openedBook(budget);
  const { store, book, request } = opened;
  const reserve = (change: Parameters<typeof request>[0] = {}) =>
    store.transact((tx) => book.reserveCredits(tx, request(change)));
  const state = (channel: ChannelId, at = START) => store.read((tx) => book.readBudgetState(tx, channel, at));
  return { ...opened, reserve, state };
}

describe('channels without an admin’s word', () => {
  test('reserve and settle no more than one default budget together', async () => {
    const { reserve, state, settle } = pooledBook();
    expect(await reserve({ id: 'a', channels: [DESIGN], minCredits: 30, maxCredits: 30 })).toMatchObject({
      amount: 30,
    });
    expect(await state(WEB)).toMatchObject({ available: 20, pool: { settled: 0, reserved: 30 } });
    expect(await reserve({ channels: [WEB], minCredits: 21 })).toMatchObject({ kind: 'no-budget' });
    await settle('a', 30, 900);
    expect(await reserve({ id: 'b', channels: [WEB, DATA, DIRECT], minCredits: 20 })).toMatchObject({
      amount: 20,
    });
    expect(
      await reserve({ channels: [DIRECT], purchase: LOOKUP, maxCredits: 1, minCredits: 1 }),
    ).toMatchObject({
      kind: 'no-budget',
    });
    await settle('b', 20, 880);
    for (const channel of [DESIGN, WEB, DATA, DIRECT])
      expect(await state(channel)).toMatchObject({ available: 0, pool: { settled: 50, reserved: 0 } });
  });

  test('share with a confirmed one what each can pay', async () => {
    const { reserve, state, store, book } = pooledBook(20);
    await store.transact((tx) => book.confirmBudget(tx, WEB, ANN, START));
    await reserve({ id: 'first', channels: [DATA], purchase: LOOKUP, maxCredits: 1, minCredits: 1 });
    const told = { consumed: 0, remaining: 900, resetsAt: RESET };
    await store.transact((tx) => book.settleReservation(tx, 'first', told, START));
    expect(await reserve({ channels: [DESIGN, DATA, WEB], minCredits: 20, maxCredits: 100 })).toMatchObject({
      amount: 40,
    });
    expect((await state(DESIGN)).reserved + (await state(DATA)).reserved).toBe(20);
    expect(await state(WEB)).toMatchObject({ reserved: 20, available: 0 });
  });

  test('take no more of the pool where the server charges more than was reserved', async () => {
    const { reserve, state, settle } = pooledBook(20);
    await reserve({ id: 'a', channels: [DESIGN, WEB], maxCredits: 10 });
    await settle('a', 60, 900);
    expect(await state(WEB)).toMatchObject({ available: 0, pool: { settled: 20, reserved: 0 } });
  });

  test('get their own default once an admin confirms or budgets them; the rest keep the pool', async () => {
    const { reserve, settle, state, store, book, setBudget } = pooledBook();
    for (const [id, channel] of [
      ['a', DESIGN],
      ['b', WEB],
    ] as const) {
      await reserve({ id, channels: [channel], maxCredits: 10 });
      await settle(id, 10, 900);
    }
    expect(await state(DATA)).toMatchObject({ available: 30 });
    expect(await store.transact((tx) => book.confirmBudget(tx, DESIGN, ANN, START))).toBe(true);
    expect(await store.transact((tx) => book.confirmBudget(tx, DESIGN, ANN, START))).toBe(false);
    expect(await state(DESIGN)).toMatchObject({ limit: 50, settled: 10, available: 40 });
    expect((await state(DESIGN)).pool).toBeUndefined();
    expect((await state(DESIGN)).isOwn).toBeUndefined();
    expect(await state(DATA)).toMatchObject({ available: 40 });
    await setBudget(WEB, 'unlimited');
    expect((await state(WEB)).pool).toBeUndefined();
    expect(await state(DATA)).toMatchObject({ available: 50 });
  });

  test('have a whole pool again in the next billing period', async () => {
    const { reserve, settle, state, store, book } = pooledBook();
    await reserve({ id: 'a', channels: [DESIGN], maxCredits: 50, minCredits: 50 });
    await settle('a', 50, 900);
    await reserve({ id: 'free', channels: [WEB], purchase: LOOKUP, maxCredits: 1, minCredits: 0, at: RESET });
    const told = { consumed: 0, remaining: 950, resetsAt: RESET + 30 * DAY };
    await store.transact((tx) => book.settleReservation(tx, 'free', told, RESET));
    expect(await state(WEB, RESET)).toMatchObject({ available: 50, pool: { settled: 0 } });
  });

  test('are told apart from budgets of the same size when nothing is left', async () => {
    const opened = pooledBook(20);
    const { reserve, settle, store, book } = opened;
    await reserve({ id: 'a', channels: [DESIGN], maxCredits: 15, minCredits: 15 });
    await settle('a', 15, 900);
    await reserve({ channels: [WEB] });
    const shared = { about: 'budget-spent', left: 5, limit: 20, isShared: true };
    expect(await opened.notices()).toMatchObject([
      { channel: DESIGN, notice: shared },
      { channel: WEB, notice: shared },
    ]);
    await store.transact((tx) => book.confirmBudget(tx, DESIGN, ANN, START));
    await reserve({ channels: [DESIGN] });
    const own = (await opened.notices()).filter(({ notice }) => !('isShared' in notice));
    expect(own).toMatchObject([{ channel: DESIGN, notice: { about: 'budget-spent', left: 5 } }]);
  });
});
