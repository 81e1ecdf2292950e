/** Repeats a step until a signal aborts. A failed step never ends the loop. */
import type { WakeSignal } from '../base/wake-signal.ts';
import { type Clock, MINUTE } from '../clock.ts';
import { type ClockGuard, isClockCorrect } from '../clock-watch.ts';
import { asError } from '../errors.ts';
import type { Log } from '../log.ts';

export interface Loop {
  /** For the log: “Feed loop failed, retrying”. */
  readonly name: string;
  /** Does what is due, or waits for it. When the signal aborts, it may throw or return. */
  readonly step: (signal: AbortSignal) => Promise<void>;
  /** The pause after a failed step. */
  readonly retryAfterMs: number;
  /** Ends that pause early. Without it, the pause is always whole: waking up doesn't fix a full disk. */
  readonly wake?: WakeSignal;
}

interface LoopContext {
  readonly clock: Clock;
  readonly log: Log;
  /** While the wall clock is wrong, no step begins. Missing: the wall clock is trusted. */
  readonly clockGuard?: ClockGuard;
}

const CLOCK_RETRY_MS = MINUTE;

/** @returns when `signal` has aborted and the running step has ended. Never throws. */
export async function runLoop(
  { clock, log, clockGuard }: LoopContext,
  { name, step, retryAfterMs, wake }: Loop,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (clockGuard && !(await isClockCorrect(clockGuard))) await clock.sleep(CLOCK_RETRY_MS, signal);
      else await step(signal);
    } catch (thrown) {
      if (signal.aborted) return;
      log.error(`${name} loop failed, retrying`, { error: asError(thrown) });
      await (wake ? wake.wait(clock, retryAfterMs, signal) : clock.sleep(retryAfterMs, signal)).catch(
        () => undefined,
      );
    }
  }
}
