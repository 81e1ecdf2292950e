/** Whom the gate admits, when, and how long the others wait. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { LANES, type Lane } from '../../../src/marketplace/gate/gate.ts';
import { passTime, settle } from '../../pass-time.ts';
import { done, order, takeAll, worldWith } from './world.ts';

describe('the sliding window', () => {
  test('lets the limit through at once, and the next only 60 s after the first ended', async () => {
    const { clock, gate } = await worldWith(3);
    const [first, ...others] = await takeAll(gate, 3);
    await passTime(clock, 2_000);
    first?.finish(done);
    await passTime(clock, 3_000);
    for (const permit of others) permit.finish(done);
    const entered = order(gate, ['person', 'person']);
    await passTime(clock, 56_900);
    expect(entered).toEqual([]);
    await passTime(clock, 200);
    expect(entered).toHaveLength(1);
    await passTime(clock, 3_000);
    expect(entered).toHaveLength(2);
  });

  test('a place that was given back unused is free at once', async () => {
    const { gate } = await worldWith(1);
    const [permit] = await takeAll(gate, 1);
    const entered = order(gate, ['person']);
    await settle();
    expect(entered).toEqual([]);
    permit?.cancel();
    await settle();
    expect(entered).toEqual(['person']);
  });

  test('a permit that never ends blocks its place for three minutes, not for ever', async () => {
    const { clock, gate } = await worldWith(1);
    await takeAll(gate, 1);
    const entered = order(gate, ['person']);
    await passTime(clock, 179_000);
    expect(entered).toEqual([]);
    await passTime(clock, 2_000);
    expect(entered).toEqual(['person']);
  });

  test('a permit counts once, however often it is ended', async () => {
    const { gate } = await worldWith(2);
    const [permit] = await takeAll(gate, 1);
    permit?.finish(done);
    permit?.cancel();
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 60_000 });
    expect(gate.status()).toEqual({ limitPerMinute: 2, used: 1, waiting: 0 });
  });
});

describe('lanes', () => {
  test('go in their order, first come first served within a lane', async () => {
    const { clock, gate } = await worldWith(10);
    const permits = await takeAll(gate, 10);
    for (const permit of permits) permit.finish(done);
    const entered = order(gate, [...LANES].reverse().concat(LANES));
    await passTime(clock, 60_100);
    expect(entered).toEqual(LANES.flatMap((lane) => [lane, lane]).slice(0, 10));
  });

  test.each([
    [30, 24],
    [7, 5],
    [5, 4],
    [2, 1],
    [1, 1],
  ])(
    'of %i places the background fills %i at most, and a click waits for no poll',
    async (limit, background) => {
      const { gate } = await worldWith(limit);
      const entered = order(gate, Array(limit).fill('feed'));
      await settle();
      expect(entered).toHaveLength(background);
      const clicks = order(gate, Array(limit - background).fill('person'));
      await settle();
      expect(clicks).toHaveLength(limit - background);
    },
  );

  test('a feed that always has work does not keep tracking and sync waiting for ever', async () => {
    const { clock, gate } = await worldWith(5);
    const entered = order(gate, [...Array(40).fill('feed'), 'sync', 'tracking']);
    await passTime(clock, 5 * 60_000);
    expect(entered).toContain('sync');
    expect(entered).toContain('tracking');
  });

  test('what waits behind the feed takes every fourth background place, and no more', async () => {
    const { clock, gate } = await worldWith(5);
    const entered = order(gate, [...Array(40).fill('feed'), ...Array(40).fill('sync')]);
    await passTime(clock, 6 * 60_200);
    expect(entered).toHaveLength(25);
    expect(entered.slice(0, 4)).toEqual(Array(4).fill('feed'));
    expect(entered.slice(4).filter((lane) => lane === 'sync')).toHaveLength(6);
  });

  test('what is copied page by page beside a busy feed gets ten seconds for each page', async () => {
    const { clock, gate } = await worldWith(30);
    const pages: number[] = [];
    const keepBusy = async (lane: Lane, tell: () => void) => {
      for (;;) {
        const permit = await gate.acquirePermit(lane);
        await clock.sleep(200);
        permit.finish(done);
        tell();
      }
    };
    for (const lane of ['feed', 'feed', 'sync'] as const)
      void keepBusy(lane, () => {
        if (lane === 'sync') pages.push(clock.now());
      });
    await passTime(clock, 30 * 60_000);
    expect(pages.length).toBeGreaterThan(170);
  });

  test('background work begins at once after a rest, and then goes out evenly, in lane order', async () => {
    const { clock, gate } = await worldWith(30);
    const entered: { readonly lane: Lane; readonly at: number }[] = [];
    const keepBusy = async (lane: Lane) => {
      for (;;) {
        const permit = await gate.acquirePermit(lane);
        entered.push({ lane, at: clock.now() });
        await clock.sleep(200);
        permit.finish(done);
      }
    };
    const began = clock.now();
    for (const lane of ['feed', 'sync'] as const) void keepBusy(lane);
    await passTime(clock, 10 * 60_000);
    expect(entered.filter(({ at }) => at < began + 10_000)).toHaveLength(24);
    const spread = entered.filter(({ at }) => at > began + 10_000);
    const pauses = spread.slice(1).map(({ at }, place) => at - (spread[place]?.at ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(2_499);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(2_800);
    expect(spread.filter(({ lane }) => lane === 'feed').length).toBeGreaterThan(0.7 * spread.length);
  });

  test('background work that comes now and then waits for no turn', async () => {
    const { clock, gate } = await worldWith(30);
    let asked = 0;
    const entered: Lane[] = [];
    for (let minute = 0; minute < 5; minute++) {
      for (const lane of ['feed', 'sync', 'tracking'] as const) {
        asked++;
        void gate.acquirePermit(lane).then((permit) => {
          entered.push(lane);
          permit.finish(done);
        });
        await settle();
        expect(entered).toHaveLength(asked);
      }
      await passTime(clock, 15_000);
    }
  });

  test('a place in the background that was not used is the next one’s at once', async () => {
    const { clock, gate } = await worldWith(5);
    order(gate, Array(4).fill('feed'));
    await passTime(clock, 70_000);
    const [, unused] = await takeAll(gate, 2, 'feed');
    const entered = order(gate, ['sync']);
    await passTime(clock, 1_000);
    expect(entered).toEqual([]);
    unused?.cancel();
    await settle();
    expect(entered).toEqual(['sync']);
  });

  test.each(['person', 'bid'] as const)(
    'a place of the lane %s that was not used brings no background work forward',
    async (lane) => {
      const { clock, gate } = await worldWith(5);
      await takeAll(gate, 1, 'feed');
      await passTime(clock, 11_000);
      const [unused] = await takeAll(gate, 1, lane);
      const entered = order(gate, Array(3).fill('feed'));
      await settle();
      expect(entered).toHaveLength(2);
      unused?.cancel();
      const control = new AbortController();
      const givenUp = gate.acquirePermit(lane, { signal: control.signal });
      control.abort(new Error('closed the window'));
      await expect(givenUp).rejects.toThrow('closed the window');
      await passTime(clock, 13_999);
      expect(entered).toHaveLength(2);
      await passTime(clock, 1);
      expect(entered).toHaveLength(3);
    },
  );
});

describe('waiting', () => {
  test('ends at its time limit with a word when to come again, and costs nothing', async () => {
    const { clock, gate } = await worldWith(1);
    const [permit] = await takeAll(gate, 1);
    const refused = gate.acquirePermit('person', { timeoutMs: 20_000 }).catch((error: unknown) => error);
    await passTime(clock, 20_000);
    expect(await refused).toMatchObject({ code: 'gate-timeout', effect: 'none' });
    expect(gate.status()).toMatchObject({ used: 1, waiting: 0 });
    permit?.cancel();
    expect(gate.status().used).toBe(0);
  });

  test('ends at once when no place can come free in time', async () => {
    const { gate } = await worldWith(1);
    const [permit] = await takeAll(gate, 1);
    permit?.finish(done);
    const refused = await gate
      .acquirePermit('person', { timeoutMs: 20_000 })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'gate-timeout', details: { retryAfterMs: 60_050 } });
  });

  test('goes on where a place comes free in time', async () => {
    const { clock, gate } = await worldWith(1);
    const [permit] = await takeAll(gate, 1);
    permit?.finish(done);
    const entered = gate.acquirePermit('person', { timeoutMs: 60_051 });
    await passTime(clock, 60_050);
    await expect(entered).resolves.toBeDefined();
  });

  test('ends with a word that counts those who wait ahead', async () => {
    const { clock, gate } = await worldWith(2);
    const [first, second] = await takeAll(gate, 2);
    first?.finish(done);
    await passTime(clock, 5_000);
    second?.finish(done);
    const refusals: unknown[] = [];
    for (const after of ['nobody', 'one', 'two'] as const) {
      if (after !== 'nobody') order(gate, ['person']);
      refusals.push(
        await gate.acquirePermit('person', { timeoutMs: 1_000 }).catch((error: unknown) => error),
      );
    }
    expect(refusals).toMatchObject(
      [55_050, 60_050, 60_000].map((retryAfterMs) => ({ details: { retryAfterMs } })),
    );
  });

  test('leaves nothing behind at a signal that lives on', async () => {
    const { gate } = await worldWith(5);
    const { signal } = new AbortController();
    for (let i = 0; i < 3; i++) await gate.acquirePermit('person', { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('sets no timer where nobody waits and nothing counts, and one where a place is taken', async () => {
    const { clock, gate } = await worldWith(2);
    for (const permit of await takeAll(gate, 1, 'feed')) permit.finish(done);
    const freeAt = clock.now() + 60_050;
    await passTime(clock, 2_000);
    expect(clock.nextTimerDueAt()).toBe(freeAt);
    await passTime(clock, 60_000);
    expect(clock.nextTimerDueAt()).toBeUndefined();
  });

  test('ends with the reason of its signal, before and while waiting', async () => {
    const { gate } = await worldWith(1);
    await takeAll(gate, 1);
    const reason = new Error('closed the window');
    await expect(gate.acquirePermit('person', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const control = new AbortController();
    const waiting = gate.acquirePermit('person', { signal: control.signal });
    control.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(gate.status()).toMatchObject({ used: 1, waiting: 0 });
  });

  test('given up while the record was being written leaves its place free', async () => {
    const { clock, gate, journal } = await worldWith(3);
    journal.mood = 'hangs';
    const refused = gate.acquirePermit('person', { timeoutMs: 500 }).catch((error: unknown) => error);
    await passTime(clock, 500);
    expect(await refused).toMatchObject({ code: 'gate-timeout', details: { retryAfterMs: 1_000 } });
    expect(gate.status().used).toBe(0);
  });
});
