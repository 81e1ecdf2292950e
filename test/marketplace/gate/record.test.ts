/** What the gate keeps through restarts, a broken disk and clock changes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../src/clock.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { passTime, settle } from '../../pass-time.ts';
import {
  done,
  goThrough,
  MemoryJournal,
  mostInAWindow,
  openGate,
  order,
  type Sent,
  takeAll,
  worldWith,
} from './world.ts';

describe('the record', () => {
  test('is written before anyone is let out, and shared by those who wait together', async () => {
    const { gate, journal } = await worldWith(30);
    await takeAll(gate, 20);
    expect(journal.saved?.recent).toHaveLength(20);
    expect(journal.saves).toBeLessThanOrEqual(2);
  });

  test('keeps the window full across a restart', async () => {
    const { clock, gate, journal } = await worldWith(2);
    const [first] = await takeAll(gate, 2);
    await passTime(clock, 1_000);
    first?.finish(done);
    await passTime(clock, 9_000);
    const reopened = await openGate(2, journal, clock);
    const entered = order(reopened, ['person', 'person']);
    await passTime(clock, 51_000);
    expect(entered).toHaveLength(0);
    await passTime(clock, 100);
    expect(entered).toHaveLength(1);
    await passTime(clock, 9_000);
    expect(entered).toHaveLength(2);
  });

  test('keeps a pause across a restart', async () => {
    const { clock, gate, journal } = await worldWith(5);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 120_000 });
    await passTime(clock, 10_000);
    const reopened = await openGate(5, journal, clock);
    expect(reopened.status().pausedUntil).toBe(clock.now() + 110_000);
  });

  test.each([10_000, 100_000])(
    'keeps a pause across a restart %i ms into it: one goes ahead, then background work takes turns',
    async (ms) => {
      const { clock, gate, journal } = await worldWith(30);
      const [permit] = await takeAll(gate, 1, 'feed');
      permit?.finish({ kind: 'rate-limited', retryAfterMs: 300_000 });
      await passTime(clock, ms);
      await gate.close();
      const reopened = await openGate(30, journal, clock);
      const ahead = reopened.acquirePermit('person');
      const entered = order(reopened, ['person', 'feed', 'feed', 'feed']);
      await passTime(clock, 300_000 - ms);
      expect(entered).toEqual([]);
      (await ahead).finish(done);
      await settle();
      expect(entered).toEqual(['person', 'feed']);
      await passTime(clock, 2_500);
      expect(entered).toEqual(['person', 'feed', 'feed']);
    },
  );

  test('holds no pause any more once it is over', async () => {
    const { clock, gate, journal } = await worldWith(5);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 7_000 });
    await gate.close();
    expect(journal.saved).toHaveProperty('pausedUntil');
    const reopened = await openGate(5, journal, clock);
    await passTime(clock, 7_000);
    await reopened.close();
    expect(journal.saved?.pausedUntil).toBeUndefined();
  });

  test('of recent requests paces background work evenly; without any, work starts at once', async () => {
    const { clock, gate, journal } = await worldWith(30);
    for (const permit of await takeAll(gate, 2, 'feed')) permit.finish(done);
    await passTime(clock, 5_000);
    const goesOn = order(await openGate(30, journal, clock), Array(5).fill('feed'));
    await settle();
    expect(goesOn).toHaveLength(1);
    journal.saved = { recent: [] };
    const begins = order(await openGate(30, journal, clock), Array(5).fill('feed'));
    await settle();
    expect(begins).toHaveLength(5);
  });

  test('does not tell lanes apart: its requests count as background, so that people find room', async () => {
    const { clock, journal } = await worldWith(5);
    journal.saved = { recent: Array(4).fill(clock.now()) };
    const entered = order(await openGate(5, journal, clock), ['feed', 'person']);
    await settle();
    expect(entered).toEqual(['person']);
  });

  test('with a time that is none blocks no place', async () => {
    const { clock, journal } = await worldWith(5);
    journal.saved = { recent: [Number.NaN, clock.now()] };
    expect((await openGate(5, journal, clock)).status().used).toBe(1);
  });

  test('that cannot be read counts as a window that is full just now', async () => {
    const journal = new MemoryJournal();
    journal.mood = 'fails';
    const { clock, gate } = await worldWith(3, journal);
    journal.mood = 'works';
    expect(gate.status().used).toBe(3);
    await passTime(clock, 60_100);
    expect(gate.status().used).toBe(0);
  });

  test.each(['fails', 'hangs'] as const)(
    'that %s stops background work until it is back, and no person',
    async (mood) => {
      const { clock, gate, journal } = await worldWith(10);
      journal.mood = mood;
      const first = order(gate, ['person']);
      await passTime(clock, 2_000);
      expect(first).toEqual(['person']);
      const clicks = order(gate, ['person', 'bid']);
      const polls = order(gate, ['feed', 'sync']);
      await settle();
      expect(gate.status().recordFails).toBe(true);
      expect(clicks).toEqual(['person', 'bid']);
      expect(polls).toEqual([]);
      journal.mood = 'works';
      await passTime(clock, 30_000);
      expect(polls).toEqual(['feed', 'sync']);
      expect(journal.saved?.recent).toHaveLength(5);
      expect(gate.status().recordFails).toBeUndefined();
    },
  );
});

describe('a gate that is closed', () => {
  test('has all on record by then, and saves nothing afterwards', async () => {
    const { clock, gate, journal } = await worldWith(5);
    const [first, second] = await takeAll(gate, 2);
    first?.finish({ kind: 'rate-limited', retryAfterMs: 90_000 });
    await gate.close();
    expect(journal.saved?.pausedUntil).toBe(clock.now() + 90_000);
    journal.mood = 'fails';
    const { saves } = journal;
    second?.finish(done);
    await passTime(clock, 10 * 60_000);
    expect(journal.saves).toBe(saves);
    const entered = order(gate, ['person']);
    await settle();
    expect(entered).toEqual([]);
    expect(clock.nextTimerDueAt()).toBeUndefined();
  });

  test('before anybody came has nothing to put away', async () => {
    const { clock, gate } = await worldWith(5);
    await gate.close();
    expect(clock.nextTimerDueAt()).toBeUndefined();
  });

  test('waits for no journal that fails or hangs', async () => {
    for (const mood of ['fails', 'hangs'] as const) {
      const { clock, gate, journal } = await worldWith(5);
      journal.mood = mood;
      order(gate, ['person']);
      await passTime(clock, 3_000);
      let closed = false;
      void gate.close().then(() => {
        closed = true;
      });
      await passTime(clock, 3_000);
      expect(closed).toBe(true);
      expect(clock.nextTimerDueAt()).toBeUndefined();
    }
  });
});

describe('a clock that is set', () => {
  test.each([
    ['forwards by 5 s', 5_000],
    ['forwards by 14 s', 14_000],
    ['forwards by an hour', 3_600_000],
    ['backwards by an hour', -3_600_000],
  ])('%s neither opens the gate early nor keeps it shut', async (_way, ms) => {
    const { clock, gate } = await worldWith(5);
    const sent: Sent[] = [];
    for (let i = 0; i < 15; i++)
      void goThrough(gate, clock, { lane: 'person', tookMs: 100 }, sent).catch(() => undefined);
    await passTime(clock, 20_000);
    clock.shiftWallClock(ms);
    await passTime(clock, 7_000);
    void goThrough(gate, clock, { lane: 'person', tookMs: 100 }, sent);
    await passTime(clock, 173_000);
    expect(sent).toHaveLength(16);
    expect(mostInAWindow(sent)).toBe(5);
  });

  test('again and again, by whatever it is, lets no 60 s hold more than the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            afterMs: fc.integer({ min: 0, max: 30_000 }),
            ms: fc.integer({ min: -HOUR, max: HOUR }),
          }),
          { maxLength: 8 },
        ),
        fc.integer({ min: 0, max: 3_000 }),
        async (settings, tookMs) => {
          const { clock, gate } = await worldWith(5);
          const sent: Sent[] = [];
          for (let i = 0; i < 40; i++)
            void goThrough(gate, clock, { lane: 'person', tookMs }, sent).catch(() => undefined);
          for (const { afterMs, ms } of settings) {
            await passTime(clock, afterMs);
            clock.shiftWallClock(ms);
          }
          await passTime(clock, 3 * MINUTE);
          expect(mostInAWindow(sent)).toBe(5);
          expect(sent.length).toBeGreaterThanOrEqual(15);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('in the last minute of a run is told to the next one by the record', async () => {
    const { clock, gate, journal } = await worldWith(2);
    const [first] = await takeAll(gate, 2);
    first?.finish(done);
    clock.shiftWallClock(40_000);
    await gate.close();
    const entered = order(await openGate(2, journal, clock), ['person']);
    await passTime(clock, 60_000);
    expect(entered).toEqual([]);
    await passTime(clock, 100);
    expect(entered).toEqual(['person']);
  });

  test('backwards across a restart keeps the window shut for a minute at most', async () => {
    const { clock, gate, journal } = await worldWith(1);
    const [permit] = await takeAll(gate, 1);
    permit?.finish(done);
    await passTime(clock, 5_000);
    const earlier = new ManualClock(clock.now() - 3_600_000);
    const reopened = await openGate(1, journal, earlier);
    const entered = order(reopened, ['person']);
    await passTime(earlier, 60_000);
    expect(entered).toEqual([]);
    await passTime(earlier, 100);
    expect(entered).toEqual(['person']);
  });
});
