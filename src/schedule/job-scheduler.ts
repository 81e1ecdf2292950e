/**
 * Runs jobs by the wall clock: at the start and every minute, independently of one another. A job decides
 * from its stored state what is due. So it catches up after downtime and never repeats finished work, not
 * even in another process.
 */
import { schedule } from 'node-cron';
import { type Clock, type Instant, MINUTE } from '../clock.ts';
import { asError } from '../errors.ts';
import type { Log } from '../log.ts';

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

interface JobScheduler {
  /**
   * Runs jobs until stopped: in parallel, but no job twice at a time. Resolves when running jobs have ended.
   * Never throws.
   */
  runJobs(jobs: readonly ScheduledJob[], signal: AbortSignal): Promise<void>;
}

interface JobSchedulerParts {
  readonly ticker: Ticker;
  readonly clock: Clock;
  readonly log: Log;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

export function createJobScheduler({ ticker, clock, log }: JobSchedulerParts): JobScheduler {
  async function runJob(job: ScheduledJob, signal: AbortSignal): Promise<void> {
    try {
      await job.runIfDue(clock.now(), signal);
    } catch (thrown) {
      if (!signal.aborted) log.error('Scheduled job failed', { job: job.name, error: asError(thrown) });
    }
  }

  return {
    async runJobs(jobs, signal) {
      const inFlight = new Map<ScheduledJob, Promise<void>>();
      const ring = () => {
        if (signal.aborted) return;
        for (const job of jobs) {
          if (inFlight.has(job)) continue;
          const ended = runJob(job, signal).finally(() => inFlight.delete(job));
          inFlight.set(job, ended);
        }
      };
      const stop = ticker.everyMinute(ring);
      // Catches up on missed work at once, without waiting for the next minute.
      ring();
      await untilAborted(signal);
      stop();
      await Promise.all(inFlight.values());
    },
  };
}

/** Ticks every minute of an injected clock, which may be moved by hand or run fast. */
export function clockTicker(clock: Pick<Clock, 'now' | 'runAfter'>): Ticker {
  return {
    everyMinute(ring) {
      let callOff = () => {};
      const wait = () => {
        callOff = clock.runAfter(MINUTE - (clock.now() % MINUTE), () => {
          wait();
          ring();
        });
      };
      wait();
      return () => callOff();
    },
  };
}

/**
 * Ticks every minute with node-cron, which follows changes of the wall clock.
 * @param log replaces node-cron's console output
 */
export function cronTicker(log: Log): Ticker {
  const say = (message: string | Error) => ({ cron: asError(message).message });
  const logger = {
    debug: (message: string | Error) => log.debug('Scheduler message', say(message)),
    info: (message: string) => log.debug('Scheduler message', say(message)),
    warn: (message: string) => log.warn('Scheduler message', say(message)),
    error: (message: string | Error) => log.error('Scheduler message', say(message)),
  };
  return {
    everyMinute(ring) {
      const task = schedule('* * * * *', () => ring(), {
        name: 'every minute',
        noOverlap: true,
        // The jobs catch up on missed minutes themselves.
        suppressMissedWarning: true,
        // A clock's timers don't keep the process alive either.
        unref: true,
        logger,
      });
      return () => void task.destroy();
    },
  };
}
