/** Waiting in real time, beside processes. */
import { machineClock, SECOND } from '../../../src/clock.ts';

/** For a condition: a start alone takes seconds on a busy machine. */
const BOUND_MS = 120 * SECOND;
const LOOK_MS = 20;

/** @throws Error with what `state` says when it isn't true within `boundMs` */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { boundMs = BOUND_MS, state }: { readonly boundMs?: number; readonly state?: () => string } = {},
): Promise<void> {
  const end = machineClock.monotonicNow() + boundMs;
  while (!(await condition())) {
    if (machineClock.monotonicNow() > end)
      throw new Error(`not within ${boundMs} ms: ${what} ${state?.() ?? ''}`);
    await machineClock.sleep(LOOK_MS);
  }
}

/** @returns false when it isn't true within `boundMs` */
export async function comesTrue(condition: () => boolean, boundMs: number): Promise<boolean> {
  const end = machineClock.monotonicNow() + boundMs;
  while (!condition()) {
    if (machineClock.monotonicNow() > end) return false;
    await machineClock.sleep(LOOK_MS);
  }
  return true;
}
