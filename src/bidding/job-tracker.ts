/**
 * Checks jobs one at a time, in due order, and at once for a person. All state is in the store, so a restart
 * loses nothing.
 */
import { WakeSignal } from '../base/wake-signal.ts';
import { HOUR, type Instant, MINUTE } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import type { JobId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import { getFailureRule } from '../sources/failure-rules.ts';
import { StorageError } from '../storage/store.ts';
import type { BiddingContext, JobRefreshResult } from './bidding.ts';
import { findPendingProposalUid, isJobFinished, MAX_JOB_CHECK_DELAY_MS } from './decide-job.ts';
import {
  fetchAndLinkProposal,
  postponeStatusCheck,
  recordJobGone,
  recordJobStatus,
  recordStatusFailure,
} from './record-job-status.ts';
import { type Job, jobs } from './records.ts';

export type JobTracker = ReturnType<typeof createJobTracker>;

const LONGEST_SLEEP_MS = 10 * MINUTE;
const AFTER_FAULT_MS = MINUTE;
/** Limit for the server's Retry-After. */
const LONGEST_RETRY_MS = HOUR;

export function createJobTracker(context: BiddingContext) {
  const { store, marketplace, clock, log } = context;
  const bell = new WakeSignal();
  /**
   * A failure that concerns every job (a refused token, no network) pauses all of them. Not stored: a restart
   * may try at once.
   */
  let restsUntil: Instant = 0;

  async function nextDue() {
    const [entry] = await store.read((tx) => tx.list(jobs, { index: 'due', limit: 1 }));
    const job = entry?.value;
    if (job?.follow.state !== 'following') return undefined;
    const { dueAt } = job.follow;
    return { job, dueAt: dueAt > clock.now() + MAX_JOB_CHECK_DELAY_MS ? 0 : dueAt };
  }

  /** An error of our own counts as a failed check, so that one job never blocks the others. */
  async function fail(job: Job, thrown: unknown): Promise<void> {
    const now = clock.now();
    const { code, details } =
      thrown instanceof MarketplaceError
        ? thrown
        : { code: 'fault', details: { retryAfterMs: AFTER_FAULT_MS } };
    const retryAt = now + Math.min(details.retryAfterMs ?? 0, LONGEST_RETRY_MS);
    const { concern, firstPauseMs } = getFailureRule(code);
    if (concern === 'account') restsUntil = Math.max(retryAt, now + firstPauseMs);
    log.warn("Couldn't read a job", { job: job.id, error: asError(thrown) });
    await recordStatusFailure(context, job, retryAt);
  }

  async function readJob(job: Job, signal: AbortSignal): Promise<void> {
    if (job.approval?.state === 'sending') return postponeStatusCheck(context, job);
    const uid = isJobFinished(job) ? findPendingProposalUid(job) : undefined;
    try {
      if (uid !== undefined) return await fetchAndLinkProposal(context, job, uid, signal);
      const askedAt = clock.now();
      const status = await marketplace.fetchJobStatus(job.id, { lane: 'tracking', signal });
      await recordJobStatus(context, job, status, askedAt, false);
    } catch (thrown) {
      if (signal.aborted || thrown instanceof StorageError) throw thrown;
      const isGone = uid === undefined && thrown instanceof MarketplaceError && thrown.code === 'not-found';
      await (isGone ? recordJobGone(context, job) : fail(job, thrown));
    }
  }

  async function turn(signal: AbortSignal): Promise<void> {
    const next = await nextDue();
    const now = clock.now();
    // Longer than any pause: the clock was set back.
    if (restsUntil > now + LONGEST_RETRY_MS) restsUntil = 0;
    const at = next && Math.max(next.dueAt, restsUntil);
    if (next && at !== undefined && at <= now) return readJob(next.job, signal);
    const waitMs = Math.min(LONGEST_SLEEP_MS, (at ?? Number.POSITIVE_INFINITY) - now);
    await bell.wait(clock, waitMs, signal);
  }

  return {
    /** Tracks jobs until the signal aborts; the next run repeats an interrupted check. Never throws. */
    runJobTracking: (signal: AbortSignal) =>
      runLoop(context, { name: 'Job tracking', step: turn, retryAfterMs: AFTER_FAULT_MS }, signal),
    /**
     * Reads a job now. Updates our record of it, and tracks it again if tracking had ended as left or gone. A
     * job that matches an uncertain bid settles that bid.
     */
    refreshJob: async (job: JobId): Promise<JobRefreshResult> => {
      const seen = await refreshJobForPerson(context, job);
      bell.wake();
      return seen;
    },
    /** Call after a job was stored or its next check moved forward. */
    wakeTracker: () => bell.wake(),
  };
}

/** The person gets a response even if storing fails; the next status check updates the record. */
async function orAsBefore(
  { log }: BiddingContext,
  recorded: Promise<Job | undefined>,
  before: Job | undefined,
): Promise<Job | undefined> {
  try {
    return await recorded;
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown;
    log.error("Couldn't store a job status", { error: thrown });
    return before;
  }
}

async function refreshJobForPerson(context: BiddingContext, id: JobId): Promise<JobRefreshResult> {
  const { store, clock, marketplace } = context;
  const before = await store.read((tx) => tx.get(jobs, [id]));
  const askedAt = clock.now();
  let status: JobStatusReport;
  try {
    status = await marketplace.fetchJobStatus(id, { lane: 'person' });
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    const isGone = before !== undefined && thrown.code === 'not-found';
    const job = isGone ? await orAsBefore(context, recordJobGone(context, before), before) : before;
    return { kind: 'failed', error: thrown, job };
  }
  const job = await orAsBefore(context, recordJobStatus(context, before, status, askedAt, true), before);
  return { kind: 'found', status, job };
}
