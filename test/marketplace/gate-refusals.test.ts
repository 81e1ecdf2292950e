/** What the gate does when the server refuses a request: how long it pauses, and who goes first afterwards. */
import { describe, expect, test } from 'vitest';
import type { Permit } from '../../src/marketplace/gate.ts';
import { done, moveOn, settle, takeAll, worldWith } from './gate-world.ts';

describe('after a 429', () => {
  test('everything waits for Retry-After, then one request goes ahead of the rest', async () => {
    const { clock, gate } = await worldWith(30);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 7_000 });
    const permits: Permit[] = [];
    for (let i = 0; i < 3; i++) void gate.enter('person').then((one) => permits.push(one));
    await moveOn(clock, 6_999);
    expect(permits).toHaveLength(0);
    expect(gate.status().pausedUntil).toBe(clock.now() + 1);
    await moveOn(clock, 1);
    expect(permits).toHaveLength(1);
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
    await moveOn(clock, 10_000);
    second?.finish({ kind: 'rate-limited' });
    expect(gate.status().pausedUntil).toBe(clock.now() + 50_050);
  });

  test('with nothing to leave the window it waits longer from time to time', async () => {
    const { clock, gate } = await worldWith(30);
    const pauses: number[] = [];
    for (let i = 0; i < 6; i++) {
      const permit = gate.enter('person');
      await moveOn(clock, 61_000);
      (await permit).finish({ kind: 'rate-limited' });
      pauses.push((gate.status().pausedUntil ?? 0) - clock.now());
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_050, 60_050]);
  });

  test('whoever cannot be served in time is told at once', async () => {
    const { gate } = await worldWith(30);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 90_000 });
    const refused = await gate.enter('person', { timeoutMs: 20_000 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'gate-timeout', details: { retryAfterMs: 90_000 } });
  });

  test('a fixed limit stays what it is', async () => {
    const { gate } = await worldWith(12);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 1_000 });
    expect(gate.status().limitPerMinute).toBe(12);
  });
});
