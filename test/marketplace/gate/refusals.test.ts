/** After a refusal: how long the gate pauses, and who goes first afterwards. */
import { describe, expect, test } from 'vitest';
import type { RequestPermit } from '../../../src/marketplace/gate/gate.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { passTime, settle } from '../../pass-time.ts';
import { done, MemoryJournal, openGate, order, takeAll, worldWith } from './world.ts';

const refused = { kind: 'rate-limited' } as const;

describe('after a 429', () => {
  test('everything waits for Retry-After, then one request goes ahead of the rest', async () => {
    const { clock, gate } = await worldWith(30);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 7_000 });
    const permits: RequestPermit[] = [];
    for (let i = 0; i < 3; i++) void gate.acquirePermit('person').then((one) => permits.push(one));
    await passTime(clock, 6_999);
    expect(permits).toHaveLength(0);
    expect(gate.status().pausedUntil).toBe(clock.now() + 1);
    await passTime(clock, 1);
    expect(permits).toHaveLength(1);
    expect(gate.status().pausedUntil).toBeUndefined();
    permits[0]?.finish(done);
    await settle();
    expect(permits).toHaveLength(3);
  });

  test.each([
    [0, 1_000],
    [3_600_000, 600_000],
  ])('a Retry-After of %i ms counts as %i ms', async (retryAfterMs, pauseMs) => {
    const { clock, gate } = await worldWith(30);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs });
    expect(gate.status().pausedUntil).toBe(clock.now() + pauseMs);
  });

  test('without Retry-After it waits until a request leaves the window', async () => {
    const { clock, gate } = await worldWith(30);
    const [first, second] = await takeAll(gate, 2);
    first?.finish(done);
    await passTime(clock, 10_000);
    second?.finish({ kind: 'rate-limited' });
    expect(gate.status().pausedUntil).toBe(clock.now() + 50_050);
  });

  test('with nothing to leave the window it waits longer from time to time', async () => {
    const { clock, gate } = await worldWith(30);
    const pauses: number[] = [];
    for (let i = 0; i < 6; i++) {
      const permit = gate.acquirePermit('person');
      await passTime(clock, 61_000);
      (await permit).finish({ kind: 'rate-limited' });
      pauses.push((gate.status().pausedUntil ?? 0) - clock.now());
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_050, 60_050]);
  });

  test('each of which says to come back soon, that is believed twice in a row', async () => {
    const { clock, gate } = await worldWith(30);
    const pauses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const permit = gate.acquirePermit('person');
      await passTime(clock, 61_000);
      (await permit).finish({ ...refused, retryAfterMs: 1_500 });
      pauses.push((gate.status().pausedUntil ?? 0) - clock.now());
    }
    expect(pauses).toEqual([1_500, 1_500, 5_000, 10_000, 20_000]);
  });

  test('while requests leave the window one by one, it looks half a minute later each time', async () => {
    const { clock, gate } = await worldWith(30);
    const [slow] = await takeAll(gate, 1);
    for (let i = 0; i < 6; i++) {
      for (const permit of await takeAll(gate, 1)) permit.finish(done);
      await passTime(clock, 10_000);
    }
    const pauses: number[] = [];
    for (let i = 0; i < 4; i++) {
      if (i === 3) slow?.finish(done);
      const [permit] = await takeAll(gate, 1);
      permit?.finish(refused);
      const pauseMs = (gate.status().pausedUntil ?? 0) - clock.now();
      pauses.push(pauseMs);
      await passTime(clock, pauseMs);
    }
    expect(pauses).toEqual([1_000, 30_000, 60_000, 60_050]);
  });

  test('those that went out together count as one refusal', async () => {
    const { clock, gate } = await worldWith(30);
    for (const permit of await takeAll(gate, 3)) permit.finish(refused);
    expect(gate.status().pausedUntil).toBe(clock.now() + 5_000);
  });

  test('an answer to what went out before does not end the caution', async () => {
    const { clock, gate } = await worldWith(30);
    const [first, second] = await takeAll(gate, 2);
    first?.finish({ ...refused, retryAfterMs: 7_000 });
    second?.finish(done);
    const permits: RequestPermit[] = [];
    for (let i = 0; i < 3; i++) void gate.acquirePermit('person').then((one) => permits.push(one));
    await passTime(clock, 8_000);
    expect(permits).toHaveLength(1);
  });

  test('it comes back a little later than it must, not at the same moment as others', async () => {
    const clock = new ManualClock();
    const gate = await openGate(30, new MemoryJournal(), clock, () => 0.5);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ ...refused, retryAfterMs: 7_000 });
    expect(gate.status().pausedUntil).toBe(clock.now() + 7_125);
  });

  test('background work goes out evenly, also where the pause was a long one', async () => {
    const { clock, gate } = await worldWith(30);
    const [permit] = await takeAll(gate, 1, 'feed');
    permit?.finish({ ...refused, retryAfterMs: 120_000 });
    const entered = order(gate, Array(10).fill('feed'));
    await passTime(clock, 122_000);
    expect(entered).toHaveLength(1);
    await passTime(clock, 5_000);
    expect(entered).toHaveLength(3);
  });

  test.each([
    ['failed', 'proves nothing: the next refusal is the same news', 13],
    ['done', 'proves that it is over: the next refusal is news', 5],
  ] as const)('a request that ended as %s %s', async (kind, _why, limit) => {
    const { clock, gate } = await worldWith('auto');
    const [last, ...others] = await takeAll(gate, 13);
    for (const permit of others) permit.finish(done);
    await passTime(clock, 1_000);
    const [late] = await takeAll(gate, 1);
    last?.finish(done);
    late?.finish({ ...refused, retryAfterMs: 90_000 });
    expect(gate.status().limitPerMinute).toBe(13);
    await passTime(clock, 90_000);
    for (const permit of await takeAll(gate, 1)) permit.finish({ kind });
    await passTime(clock, 1_000);
    for (const permit of await takeAll(gate, 1)) permit.finish(refused);
    expect(gate.status().limitPerMinute).toBe(limit);
  });

  test('whoever cannot be served in time is told at once', async () => {
    const { gate } = await worldWith(30);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 90_000 });
    const refused = await gate
      .acquirePermit('person', { timeoutMs: 20_000 })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'gate-timeout', details: { retryAfterMs: 90_000 } });
  });

  test('whoever is told so hears when the pause is over, where there is room then', async () => {
    const { gate } = await worldWith(2);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ ...refused, retryAfterMs: 7_000 });
    const error = await gate.acquirePermit('person', { timeoutMs: 5_000 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'gate-timeout', details: { retryAfterMs: 7_000 } });
  });

  test('a fixed limit stays what it is', async () => {
    const { gate } = await worldWith(12);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 1_000 });
    expect(gate.status().limitPerMinute).toBe(12);
  });
});
