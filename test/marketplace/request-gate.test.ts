import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import type { Gate, Lane, Permit } from '../../src/marketplace/gate.ts';
import { LANES } from '../../src/marketplace/gate.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { MemoryJournal, mostInAWindow, moveOn, openGate, type Sent, settle, useGate } from './gate-world.ts';

const done = { kind: 'done' } as const;

async function worldWith(limit: 'auto' | number, journal = new MemoryJournal()) {
  const clock = new ManualClock();
  return { clock, journal, gate: await openGate(limit, journal, clock) };
}

async function takeAll(gate: Gate, count: number, lane: Lane = 'person'): Promise<Permit[]> {
  return Promise.all(Array.from({ length: count }, () => gate.enter(lane)));
}

/** Who got in, in order, while all waited. */
function order(gate: Gate, lanes: readonly Lane[]): Lane[] {
  const entered: Lane[] = [];
  for (const lane of lanes)
    void gate.enter(lane).then((permit) => {
      entered.push(lane);
      permit.finish(done);
    });
  return entered;
}

describe('the sliding window', () => {
  test('lets the limit through at once, and the next only 60 s after the first ended', async () => {
    const { clock, gate } = await worldWith(3);
    const [first, ...others] = await takeAll(gate, 3);
    await moveOn(clock, 2_000);
    first?.finish(done);
    await moveOn(clock, 3_000);
    for (const permit of others) permit.finish(done);
    const entered = order(gate, ['person', 'person']);
    await moveOn(clock, 56_900);
    expect(entered).toEqual([]);
    await moveOn(clock, 200);
    expect(entered).toHaveLength(1);
    await moveOn(clock, 3_000);
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
    await moveOn(clock, 179_000);
    expect(entered).toEqual([]);
    await moveOn(clock, 2_000);
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
    const entered = order(gate, [...LANES].reverse().concat(LANES));
    for (const permit of permits) permit.finish(done);
    await moveOn(clock, 60_100);
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
    await moveOn(clock, 5 * 60_000);
    expect(entered).toContain('sync');
    expect(entered).toContain('tracking');
  });

  test('what waits too long takes every fourth background place, and no more', async () => {
    const { clock, gate } = await worldWith(5);
    const entered = order(gate, [...Array(40).fill('feed'), ...Array(40).fill('sync')]);
    await moveOn(clock, 6 * 60_200);
    expect(entered).toHaveLength(28);
    expect(entered.slice(0, 8)).toEqual(Array(8).fill('feed'));
    expect(entered.slice(8).filter((lane) => lane === 'sync')).toHaveLength(5);
  });
});

describe('waiting', () => {
  test('ends at its time limit with a word when to come again, and costs nothing', async () => {
    const { clock, gate } = await worldWith(1);
    const [permit] = await takeAll(gate, 1);
    const refused = gate.enter('person', { timeoutMs: 20_000 }).catch((error: unknown) => error);
    await moveOn(clock, 20_000);
    expect(await refused).toMatchObject({ code: 'gate-timeout', effect: 'none' });
    expect(gate.status()).toMatchObject({ used: 1, waiting: 0 });
    permit?.cancel();
    expect(gate.status().used).toBe(0);
  });

  test('ends at once when no place can come free in time', async () => {
    const { gate } = await worldWith(1);
    const [permit] = await takeAll(gate, 1);
    permit?.finish(done);
    const refused = await gate.enter('person', { timeoutMs: 20_000 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'gate-timeout', details: { retryAfterMs: 60_050 } });
  });

  test('ends with the reason of its signal, before and while waiting', async () => {
    const { gate } = await worldWith(1);
    await takeAll(gate, 1);
    const reason = new Error('closed the window');
    await expect(gate.enter('person', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const control = new AbortController();
    const waiting = gate.enter('person', { signal: control.signal });
    control.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(gate.status()).toMatchObject({ used: 1, waiting: 0 });
  });

  test('given up while the record was being written leaves its place free', async () => {
    const { clock, gate, journal } = await worldWith(1);
    journal.mood = 'hangs';
    const refused = gate.enter('person', { timeoutMs: 500 }).catch((error: unknown) => error);
    await moveOn(clock, 500);
    expect(await refused).toMatchObject({ code: 'gate-timeout' });
    expect(gate.status().used).toBe(0);
  });
});

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
        await useGate(
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
    await moveOn(clock, 1_000);
    first?.finish(done);
    await moveOn(clock, 9_000);
    const reopened = await openGate(2, journal, clock);
    const entered = order(reopened, ['person', 'person']);
    await moveOn(clock, 51_000);
    expect(entered).toHaveLength(0);
    await moveOn(clock, 100);
    expect(entered).toHaveLength(1);
    await moveOn(clock, 9_000);
    expect(entered).toHaveLength(2);
  });

  test('keeps a pause across a restart', async () => {
    const { clock, gate, journal } = await worldWith(5);
    const [permit] = await takeAll(gate, 1);
    permit?.finish({ kind: 'rate-limited', retryAfterMs: 120_000 });
    await moveOn(clock, 10_000);
    const reopened = await openGate(5, journal, clock);
    expect(reopened.status().pausedUntil).toBe(clock.now() + 110_000);
  });

  test('that cannot be read counts as a window that is full just now', async () => {
    const journal = new MemoryJournal();
    journal.mood = 'fails';
    const { clock, gate } = await worldWith(3, journal);
    journal.mood = 'works';
    expect(gate.status().used).toBe(3);
    await moveOn(clock, 60_100);
    expect(gate.status().used).toBe(0);
  });

  test.each(['fails', 'hangs'] as const)(
    'that %s stops background work until it is back, and no person',
    async (mood) => {
      const { clock, gate, journal } = await worldWith(10);
      journal.mood = mood;
      const first = order(gate, ['person']);
      await moveOn(clock, 2_000);
      expect(first).toEqual(['person']);
      const clicks = order(gate, ['person', 'bid']);
      const polls = order(gate, ['feed', 'sync']);
      await settle();
      expect(clicks).toEqual(['person', 'bid']);
      expect(polls).toEqual([]);
      journal.mood = 'works';
      await moveOn(clock, 30_000);
      expect(polls).toEqual(['feed', 'sync']);
      expect(journal.saved?.recent).toHaveLength(5);
    },
  );
});

describe('a clock that is set', () => {
  /** A wall clock that can be set, over timers that cannot. */
  class SettableClock implements Clock {
    readonly base = new ManualClock();
    offsetMs = 0;
    now = () => this.base.now() + this.offsetMs;
    after = (ms: number, run: () => void) => this.base.after(ms, run);
    sleep = (ms: number, signal?: AbortSignal) => this.base.sleep(ms, signal);
  }

  test.each([
    ['forwards', 3_600_000],
    ['backwards', -3_600_000],
  ])('%s by an hour neither opens the gate early nor keeps it shut', async (_way, offsetMs) => {
    const clock = new SettableClock();
    const gate = await openGate(5, new MemoryJournal(), clock);
    const sent: Sent[] = [];
    for (let i = 0; i < 15; i++)
      void useGate(gate, clock.base, { lane: 'person', tookMs: 100 }, sent).catch(() => undefined);
    await moveOn(clock.base, 20_000);
    clock.offsetMs = offsetMs;
    await moveOn(clock.base, 7_000);
    void useGate(gate, clock.base, { lane: 'person', tookMs: 100 }, sent);
    await moveOn(clock.base, 173_000);
    expect(sent).toHaveLength(16);
    expect(mostInAWindow(sent)).toBe(5);
  });

  test('backwards across a restart keeps the window shut for a minute at most', async () => {
    const { clock, gate, journal } = await worldWith(1);
    const [permit] = await takeAll(gate, 1);
    permit?.finish(done);
    await moveOn(clock, 5_000);
    const earlier = new ManualClock(clock.now() - 3_600_000);
    const reopened = await openGate(1, journal, earlier);
    const entered = order(reopened, ['person']);
    await moveOn(earlier, 60_000);
    expect(entered).toEqual([]);
    await moveOn(earlier, 100);
    expect(entered).toEqual(['person']);
  });
});
