/** The one place that reads the machine's time, timers and randomness; everything else is handed these. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** How late turns of the event loop came, since the reading before, in milliseconds. */
export interface EventLoopLag {
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface EventLoopWatch {
  read(): EventLoopLag;
  stop(): void;
}

export interface Clock {
  now(): Instant;
  /**
   * Whole milliseconds that have gone by since a moment of its own. Setting the wall clock does not change it, so that differences
   * are true; a machine that sleeps may leave its sleep out.
   */
  monotonicNow(): number;
  /** Resolves `ms` later. @throws the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `run` once, `ms` later; the returned function calls it off. Does not keep the process alive. */
  runAfter(ms: number, run: () => void): () => void;
}

/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Whether it was less than `ms` ago. A time in the future was put on record by a wrong clock, and counts as none. */
export function isRecent(at: Instant | undefined, ms: number, now: Instant): boolean {
  return at !== undefined && at <= now && now - at < ms;
}

/** `sleep` on top of `after`, shared by every clock. */
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

/** Node's timers hold 32-bit delays: a longer one would fire at once. */
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

/** Runs it in the next turn of the event loop, after what has come in from outside by then. */
export function runOnNextTurn(run: () => void): void {
  setImmediate(run);
}

/** For a program that would otherwise end while only timers are left: until `process.exit`. */
export function keepProcessAlive(): void {
  setInterval(() => undefined, LONGEST_TIMER);
}

export const machineRandom: Random = () => Math.random();

const LOOP_LOOK_MS = 20;
const NANOSECONDS = 1e6;

/** Watches this process from now on. Node samples by itself, so it costs no timer of ours. */
export function watchEventLoop(): EventLoopWatch {
  const delays = monitorEventLoopDelay({ resolution: LOOP_LOOK_MS });
  delays.enable();
  // Each sample holds the time between two looks, of which only what is above the plan is lag.
  const lagOf = (nanoseconds: number) => Math.max(0, (nanoseconds || 0) / NANOSECONDS - LOOP_LOOK_MS);
  return {
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
