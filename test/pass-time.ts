/** Time that goes by on a clock moved by hand, step by step. */
import type { ManualClock } from '../src/workbench/clocks.ts';

/** Lets everything that waits for no timer happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves the clock from timer to timer, `ms` in all, so that what a timer sets off happens at its own time. */
export async function passTime(clock: ManualClock, ms: number): Promise<void> {
  const until = clock.now() + ms;
  await settle();
  while (clock.now() < until) {
    clock.moveTo(Math.min(clock.nextTimerDueAt() ?? until, until));
    await settle();
  }
}
