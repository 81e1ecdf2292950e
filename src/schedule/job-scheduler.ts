/**
 * The contract of scheduled jobs. A job decides from its stored state what is due. So it catches up after
 * downtime and never repeats finished work, not even in another process.
 */
import type { Instant } from '../clock.ts';

/** Ticks at the start of every minute of the wall clock: node-cron in production, a fake clock in tests. */
export interface Ticker {
  /** @returns a function that stops the ticks. */
  everyMinute(ring: () => void): () => void;
}

export interface ScheduledJob {
  readonly name: string;
  /**
   * Does what is due at `at`, at most once: the transaction of the effect also stores the slot. Also called
   * at the start.
   * @throws anything: the error is logged, and the job runs again the next minute.
   */
  runIfDue(at: Instant, signal: AbortSignal): Promise<void>;
}

export interface JobScheduler {
  /**
   * Runs jobs until stopped: in parallel, but no job twice at a time. Resolves when running jobs have ended.
   * Never throws.
   */
  runJobs(jobs: readonly ScheduledJob[], signal: AbortSignal): Promise<void>;
}
