/** What the gate does when the server lets fewer through: it pauses, and learns the limit. */
import { describe, expect, test } from 'vitest';
import type { Gate, Permit } from '../../src/marketplace/gate.ts';
import type { ManualClock } from '../../src/workbench/clocks.ts';
import {
  done,
  goThrough,
  moveOn,
  openGate,
  order,
  type Sent,
  settle,
  takeAll,
  worldWith,
} from './gate-world.ts';

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

describe('auto', () => {
  /** A server that lets `allowed` requests through in any 60 s. */
  function serverWith(allowed: number) {
    const accepted: number[] = [];
    return (at: number) => {
      const recent = accepted.filter((one) => one > at - 60_000).length;
      if (recent >= allowed) return { kind: 'rate-limited' } as const;
      accepted.push(at);
      return done;
    };
  }

  async function workFor(
    minutes: number,
    gate: Gate,
    clock: ManualClock,
    answer: ReturnType<typeof serverWith>,
  ) {
    const sent: Sent[] = [];
    let refusals = 0;
    let working = true;
    const worker = async () => {
      while (working) {
        await goThrough(
          gate,
          clock,
          {
            lane: 'person',
            tookMs: 200,
            end: (entry) => {
              const end = answer(entry.from);
              if (end.kind === 'rate-limited') refusals++;
              return end;
            },
          },
          sent,
        );
      }
    };
    const workers = Array.from({ length: 3 }, worker);
    await moveOn(clock, minutes * 60_000);
    working = false;
    void Promise.allSettled(workers);
    return { sent, refusals };
  }

  test('starts at 30 and falls to what the window proved', async () => {
    const { clock, gate } = await worldWith('auto');
    expect(gate.status().limitPerMinute).toBe(30);
    await workFor(3, gate, clock, serverWith(12));
    expect(gate.status().limitPerMinute).toBe(12);
  });

  test('finds a limit of 5 even from a burst of 30, and never goes below', async () => {
    const { clock, gate } = await worldWith('auto');
    const permits = await takeAll(gate, 30);
    await moveOn(clock, 100);
    permits.forEach((permit, i) => {
      permit.finish(i < 3 ? done : { kind: 'rate-limited' });
    });
    expect(gate.status().limitPerMinute).toBe(5);
  });

  test('remembers it across a restart', async () => {
    const { clock, gate, journal } = await worldWith('auto');
    await workFor(3, gate, clock, serverWith(9));
    await moveOn(clock, 2_000);
    const reopened = await openGate('auto', journal, clock);
    expect(reopened.status().limitPerMinute).toBe(9);
  });

  test('tries one more after ten full minutes, and waits twice as long after each refusal', async () => {
    const { clock, gate } = await worldWith('auto');
    const answer = serverWith(5);
    await workFor(2, gate, clock, answer);
    const before = await workFor(9, gate, clock, answer);
    expect(before.refusals).toBe(0);
    const first = await workFor(5, gate, clock, answer);
    expect(first.refusals).toBe(1);
    expect(gate.status().limitPerMinute).toBe(5);
    const pause = await workFor(16, gate, clock, answer);
    expect(pause.refusals).toBe(0);
    const second = await workFor(6, gate, clock, answer);
    expect(second.refusals).toBe(1);
  });

  test('climbs back when the server allows more, up to 30 and no further', async () => {
    const { clock, gate } = await worldWith('auto');
    const permits = await takeAll(gate, 28);
    permits.forEach((permit, i) => {
      permit.finish(i === 27 ? { kind: 'rate-limited' } : done);
    });
    expect(gate.status().limitPerMinute).toBe(27);
    const { refusals } = await workFor(60, gate, clock, serverWith(30));
    expect(refusals).toBe(0);
    expect(gate.status().limitPerMinute).toBe(30);
  });

  test('does not climb while nobody needs more', async () => {
    const { clock, gate } = await worldWith('auto');
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited' });
    for (let minute = 0; minute < 60; minute++) {
      order(gate, ['feed', 'person']);
      await moveOn(clock, 60_000);
    }
    expect(gate.status().limitPerMinute).toBe(5);
  });
});
