/** Runs jobs by the wall clock: at the start and every minute, independently of one another. */
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { JobScheduler, ScheduledJob, Ticker } from './job-scheduler.ts';

export interface JobSchedulerParts {
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
