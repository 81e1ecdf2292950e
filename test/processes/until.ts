/** Waiting in real time, beside processes. */
import { machineClock, SECOND } from '../../src/clock.ts';

/** A start alone takes seconds on a busy machine. */
const BOUND_MS = 120 * SECOND;
const LOOK_MS = 20;

interface UntilOptions {
  readonly boundMs?: number;
  readonly everyMs?: number;
  /** For the error: why it isn't there. */
  readonly state?: () => string;
}

/** @returns what `look` finds, once it is true. @throws Error with `state` when it isn't within `boundMs` */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { boundMs = BOUND_MS, everyMs = LOOK_MS, state = () => '' }: UntilOptions = {},
): Promise<NonNullable<T>> {
  const end = machineClock.monotonicNow() + boundMs;
  for (let found = await look(); ; found = await look()) {
    if (found) return found;
    if (machineClock.monotonicNow() > end) throw new Error(`not within ${boundMs} ms: ${what} ${state()}`);
    await machineClock.sleep(everyMs);
  }
}
