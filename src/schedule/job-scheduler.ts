/**
 * Runs jobs by the wall clock: at the start and every minute, independently of one another. A job decides
 * from its stored state what is due. So it catches up after downtime and never repeats finished work, not
 * even in another process.
 */
import { type Clock, type Instant, MINUTE } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import type { Log } from '../log.ts';

export interface ScheduledJob {
  readonly name: string;
  /**
   * Does what is due at `at`, at most once: the transaction of the effect also stores the slot. Also called
   * at the start; never while the wall clock is wrong.
   * @throws anything: the error is logged, and the job runs again the next minute.
   */
  runIfDue(at: Instant, signal: AbortSignal): Promise<void>;
}

interface SchedulerContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly clockGuard?: ClockGuard;
}

/**
 * Runs jobs until stopped: in parallel, but no job twice at a time. Resolves when running jobs have ended.
 * Never throws. A minute of UTC is a minute in every time zone, so the host's zone plays no part.
 */
export async function runScheduledJobs(
  context: SchedulerContext,
  jobs: readonly ScheduledJob[],
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = context;
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
    await clock.sleep(MINUTE - (clock.now() % MINUTE), signal);
  };
  await runLoop(context, { name: 'Scheduler', step, retryAfterMs: MINUTE }, signal);
  await Promise.all(inFlight.values());
}
