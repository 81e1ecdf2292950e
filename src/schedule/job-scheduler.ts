/**
 * Runs jobs by the wall clock: at the start and every minute, independently of one another. A job decides
 * from its stored state what is due. So it catches up after downtime and never repeats finished work, not
 * even in another process.
 */
import { schedule } from 'node-cron';
import { type Instant, MINUTE } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import type { Workspace } from '../workspace.ts';

export interface ScheduledJob {
  readonly name: string;
  /**
   * Does what is due at `at`, at most once: the transaction of the effect also stores the slot. Also called
   * at the start; never while the wall clock is wrong.
   * @throws anything: the error is logged, and the job runs again the next minute.
   */
  runIfDue(at: Instant, signal: AbortSignal): Promise<void>;
}

/** Resolves at the start of the next minute, or when the signal aborts. */
export type NextMinute = (signal: AbortSignal) => Promise<void>;

/**
 * With node-cron. The process must run in UTC (`config.ts`): 4.6.0 reckons with the process's zone, whatever
 * `timezone` says, and does nothing in the hour that a zone's clocks show twice.
 */
export const nextCronMinute: NextMinute = (signal) =>
  new Promise((resolve) => {
    const task = schedule('* * * * *', () => end(), { timezone: 'UTC' });
    function end() {
      signal.removeEventListener('abort', end);
      void task.destroy();
      resolve();
    }
    signal.addEventListener('abort', end, { once: true });
  });

interface SchedulerContext extends Pick<Workspace, 'clock' | 'log' | 'clockGuard'> {
  /** By `clock` when absent. */
  readonly nextMinute?: NextMinute;
}

/**
 * Runs jobs until stopped: in parallel, but no job twice at a time. Resolves when running jobs have ended.
 * Never throws.
 */
export async function runScheduledJobs(
  context: SchedulerContext,
  jobs: readonly ScheduledJob[],
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, nextMinute = (ended) => clock.sleep(MINUTE - (clock.now() % MINUTE), ended) } = context;
  const inFlight = new Map<ScheduledJob, Promise<void>>();

  async function runJob(job: ScheduledJob): Promise<void> {
    try {
      await job.runIfDue(clock.now(), signal);
    } catch (thrown) {
      if (!signal.aborted) log.error('Scheduled job failed', { job: job.name, error: asError(thrown) });
    }
  }

  const step = async () => {
    for (const job of jobs)
      if (!inFlight.has(job))
        inFlight.set(
          job,
          runJob(job).finally(() => inFlight.delete(job)),
        );
    await nextMinute(signal);
  };
  await runLoop(context, { name: 'Scheduler', step, retryAfterMs: MINUTE }, signal);
  await Promise.all(inFlight.values());
}
