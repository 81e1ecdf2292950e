/**
 * The contract of what happens by the wall clock. A job decides by itself, from what it has stored, what is due: so what was
 * missed while nothing ran is caught up, and what was done is not done again, by another process either.
 */
import type { Instant } from '../clock.ts';

/** Rings at the start of every minute of the wall clock. node-cron's in production, a moved clock's in tests. */
export interface Ticker {
  /** @returns what stops it. */
  everyMinute(ring: () => void): () => void;
}

export interface ScheduledJob {
  /** For the log. */
  readonly name: string;
  /**
   * Does what is due by then, and no more than once: the slot is stored in the transaction of its effect. Called at the start, too.
   * @throws anything: it is logged, and the job is called again with the next minute.
   */
  runIfDue(at: Instant, signal: AbortSignal): Promise<void>;
}

export interface JobScheduler {
  /** Runs jobs until stopped, side by side, none of them twice at a time. Resolves when those under way have ended. Never throws. */
  runJobs(jobs: readonly ScheduledJob[], signal: AbortSignal): Promise<void>;
}
