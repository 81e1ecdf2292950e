/** The only code that reads the machine's time, timers and randomness. Other code gets them passed in. */
import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export interface Clock {
  now(): Instant;
  /**
   * Whole milliseconds since an arbitrary start. Setting the wall clock doesn't change it, so differences are
   * correct. It may exclude the time when the machine sleeps.
   */
  monotonicNow(): number;
  /** Resolves after `ms`. @throws the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms`; the returned function cancels it. Doesn't keep the process alive. */
  runAfter(ms: number, run: () => void): () => void;
}

/** A number from 0 (included) to 1 (excluded). */
export type RandomSource = () => number;

/** That many bytes that nobody can predict, for cryptography. */
export type RandomBytes = (length: number) => Buffer;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Whether `at` is less than `ms` ago. A future time comes from a wrong clock and doesn't count. */
export function isRecent(at: Instant | undefined, ms: number, now: Instant): boolean {
  return at !== undefined && at <= now && now - at < ms;
}

/** Builds `sleep` on `runAfter`, for every clock. */
export function createSleep(after: Clock['runAfter']): Clock['sleep'] {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const giveUp = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = after(ms, () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      });
      signal?.addEventListener('abort', giveUp, { once: true });
    });
}

/** Node's timers take 32-bit delays: a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

function afterOnMachine(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_TIMER));
  timer.unref();
  return () => clearTimeout(timer);
}

export const machineClock: Clock = {
  now: () => Date.now(),
  monotonicNow: () => Math.floor(performance.now()),
  runAfter: afterOnMachine,
  sleep: createSleep(afterOnMachine),
};

/** Calls `run` in the next turn of the event loop, after pending I/O. */
export function runOnNextEventLoopTurn(run: () => void): void {
  setImmediate(run);
}

/** Keeps a program with only unref'd timers running until `process.exit`. */
export function keepProcessAlive(): void {
  setInterval(() => undefined, LONGEST_TIMER);
}

export const machineRandom: RandomSource = () => Math.random();

export const machineRandomBytes: RandomBytes = (length) => randomBytes(length);

const LOOP_LOOK_MS = 20;

/** Starts measuring the event loop delay. Node takes the samples, so we need no timer. */
export function watchEventLoop() {
  const delays = monitorEventLoopDelay({ resolution: LOOP_LOOK_MS });
  delays.enable();
  // Each sample is the time between two ticks; only the part above the resolution is lag.
  const lagOf = (nanoseconds: number) => Math.max(0, (nanoseconds || 0) / 1e6 - LOOP_LOOK_MS);
  return {
    /** The delay since the previous reading, in milliseconds. */
    read: () => {
      const lag = { p99Ms: lagOf(delays.percentile(99)), maxMs: lagOf(delays.max) };
      delays.reset();
      return lag;
    },
    stop: () => {
      delays.disable();
    },
  };
}
