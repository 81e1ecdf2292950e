import { describe, expect, it } from 'vitest';
import { type Clock, MINUTE, SECOND, sleepWith } from '../../src/clock.ts';
import { SteadyTime } from '../../src/marketplace/steady-time.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';

/** A clock that people set; its timers keep to the true time. */
function settable() {
  const truth = new ManualClock();
  const skew = { ms: 0 };
  const after: Clock['after'] = (ms, run) => truth.after(ms, run);
  const clock: Clock = { now: () => truth.now() + skew.ms, after, sleep: sleepWith(after) };
  return { truth, skew, clock };
}

describe('a clock that is set while time is counted', () => {
  it.each([
    ['forwards by 40 s', 40 * SECOND],
    ['forwards by an hour', 60 * MINUTE],
    ['backwards by 40 s', -40 * SECOND],
  ])('%s makes nothing that is noted afterwards look older than it is', (_, ms) => {
    const { truth, skew, clock } = settable();
    const time = new SteadyTime(clock);
    time.run();
    truth.moveBy(12 * SECOND);
    time.now();
    truth.moveBy(2_200);
    skew.ms = ms;
    const noted = time.now();
    for (let second = 0; second < 60; second++) {
      truth.moveBy(SECOND);
      expect(time.now() - noted).toBeLessThanOrEqual((second + 1) * SECOND);
    }
    expect(time.now() - noted).toBeGreaterThanOrEqual(55 * SECOND);
  });

  it('costs no more than the time between two beats', () => {
    const { truth, skew, clock } = settable();
    const time = new SteadyTime(clock);
    time.run();
    const began = time.now();
    truth.moveBy(7 * SECOND);
    skew.ms = 40 * SECOND;
    truth.moveBy(53 * SECOND);
    expect(time.now() - began).toBeGreaterThan(54 * SECOND);
    expect(time.now() - began).toBeLessThanOrEqual(60 * SECOND);
  });
});
