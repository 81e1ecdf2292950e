import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  backgroundSlotLimit,
  LANES,
  type Lane,
  type PermittedRequestResult,
} from '../../../src/marketplace/gate/gate.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { passTime } from '../../pass-time.ts';
import { goThrough, MemoryJournal, mostInAWindow, openGate, type Sent } from './world.ts';

const BACKGROUND: readonly Lane[] = ['feed', 'tracking', 'sync'];

const request = fc.record({
  lane: fc.constantFrom(...LANES),
  afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
  tookMs: fc.oneof(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 30_000 })),
  end: fc.oneof(
    { weight: 12, arbitrary: fc.constant<PermittedRequestResult>({ kind: 'done' }) },
    { weight: 1, arbitrary: fc.constant<PermittedRequestResult>({ kind: 'rate-limited' }) },
    {
      weight: 1,
      arbitrary: fc.constant<PermittedRequestResult>({ kind: 'rate-limited', retryAfterMs: 4_000 }),
    },
  ),
});

describe('whatever the mix of lanes, times, refusals and restarts', () => {
  test('no 60 s hold more requests than the limit, from their starts to their ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<'auto' | number>('auto', 1, 3, 5, 12),
        fc.array(fc.array(request, { maxLength: 40, size: 'max' }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 90_000 }),
        async (limit, runs, runMs) => {
          const clock = new ManualClock();
          let journal = new MemoryJournal();
          const sent: Sent[] = [];
          for (const requests of runs) {
            const gate = await openGate(limit, journal, clock);
            const ofThisRun: Sent[] = [];
            for (const { afterMs, ...one } of requests)
              void clock
                .sleep(afterMs)
                .then(() => goThrough(gate, clock, { ...one, end: () => one.end }, ofThisRun));
            await passTime(clock, runMs);
            // The crash ends requests in flight for the server, too; waiting requests are never sent.
            const crashedAt = clock.now();
            journal = journal.crash();
            sent.push(...ofThisRun.map((one) => ({ ...one, to: one.ended ? one.to : crashedAt })));
          }
          const most = Math.max(1, ...sent.map((one) => one.limit));
          expect(mostInAWindow(sent)).toBeLessThanOrEqual(limit === 'auto' ? 30 : limit);
          expect(mostInAWindow(sent)).toBeLessThanOrEqual(most);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('background lanes never hold more than their share, and everyone gets through', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 12 }),
        fc.array(request, { minLength: 1, maxLength: 40, size: 'max' }),
        async (limit, requests) => {
          const clock = new ManualClock();
          const gate = await openGate(limit, new MemoryJournal(), clock);
          const sent: Sent[] = [];
          for (const { afterMs, ...one } of requests)
            void clock
              .sleep(afterMs)
              .then(() => goThrough(gate, clock, { ...one, end: () => one.end }, sent));
          await passTime(clock, 70 * 60_000);
          expect(sent).toHaveLength(requests.length);
          const background = sent.filter((one) => BACKGROUND.includes(one.lane));
          expect(mostInAWindow(background)).toBeLessThanOrEqual(backgroundSlotLimit(limit));
        },
      ),
      { numRuns: 30 },
    );
  });

  test('at least 95 % of what the waiting lanes may use is used', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom<readonly Lane[]>(['person'], ['feed'], ['feed', 'sync'], ['person', 'feed']),
        fc.integer({ min: 0, max: 1_500 }),
        async (limit, lanes, tookMs) => {
          const clock = new ManualClock();
          const gate = await openGate(limit, new MemoryJournal(), clock);
          const sent: Sent[] = [];
          const [first, minutes] = [2, 30];
          const began = clock.now();
          for (const lane of lanes)
            for (let i = 0; i < limit * (first + minutes + 1); i++)
              void goThrough(gate, clock, { lane, tookMs }, sent).catch(() => undefined);
          await passTime(clock, (first + minutes) * 60_000 - 1);
          const usable = lanes.includes('person') ? limit : backgroundSlotLimit(limit);
          // The first window is empty and lets a full one through at once, so it isn't counted.
          const counted = sent.filter(({ from }) => from >= began + first * 60_000);
          expect(counted.length).toBeGreaterThanOrEqual(0.95 * usable * minutes);
          expect(mostInAWindow(sent)).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 12 },
    );
  });
});
