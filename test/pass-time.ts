/** Passes time on a manual clock, step by step. */
import type { ManualClock } from '../src/workbench/clocks.ts';

/** Runs everything that isn't waiting for a timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves the clock by `ms` in all, timer by timer, so that each effect happens at its own time. */
export async function passTime(clock: ManualClock, ms: number): Promise<void> {
  const until = clock.now() + ms;
  await settle();
  while (clock.now() < until) {
    clock.moveTo(Math.min(clock.nextTimerDueAt() ?? until, until));
    await settle();
  }
}
