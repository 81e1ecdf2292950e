import { describe, expect, it } from 'vitest';
import { WakeSignal } from '../../src/base/wake-signal.ts';
import { MINUTE } from '../../src/clock.ts';
import { type Loop, runLoop } from '../../src/effects/run-loop.ts';
import { createLog } from '../../src/log.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';

/** Lets everything run that waits for no time. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function start(loop: Partial<Loop>) {
  const clock = new ManualClock(0);
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  const stop = new AbortController();
  const ended = runLoop(
    { clock, log },
    { name: 'Test', step: async () => {}, retryAfterMs: MINUTE, ...loop },
    stop.signal,
  );
  return { clock, lines, stop: () => stop.abort(), ended };
}

describe('a loop', () => {
  it('repeats its step until it is stopped', async () => {
    let steps = 0;
    const loop = start({
      step: async () => {
        steps++;
        if (steps === 3) loop.stop();
      },
    });
    await loop.ended;
    expect(steps).toBe(3);
    expect(loop.lines).toEqual([]);
  });

  it('logs a failed step, and goes on after the whole pause', async () => {
    let steps = 0;
    const loop = start({
      step: async () => {
        steps++;
        if (steps === 1) throw new Error('disk full');
        loop.stop();
      },
    });
    await settle();
    expect(loop.lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: expect.stringMatching(/^Test loop failed/u), error: { message: 'disk full' } },
    ]);
    loop.clock.moveBy(MINUTE - 1);
    await settle();
    expect(steps).toBe(1);
    loop.clock.moveBy(1);
    await loop.ended;
    expect(steps).toBe(2);
  });

  it('goes on earlier when it is woken, if it may be', async () => {
    const wake = new WakeSignal();
    let steps = 0;
    const loop = start({
      wake,
      step: async () => {
        steps++;
        if (steps === 1) throw new Error('offline');
        loop.stop();
      },
    });
    await settle();
    wake.wake();
    await loop.ended;
    expect([steps, loop.clock.now()]).toEqual([2, 0]);
  });

  it('ends without a word when its step fails because of the stop, or during the pause', async () => {
    const stopped = start({
      step: async (signal) => {
        await settle();
        stopped.stop();
        signal.throwIfAborted();
      },
    });
    await stopped.ended;
    expect(stopped.lines).toEqual([]);
    const pausing = start({ step: () => Promise.reject(new Error('offline')) });
    await settle();
    pausing.stop();
    await pausing.ended;
    expect(pausing.lines).toHaveLength(1);
  });
});
