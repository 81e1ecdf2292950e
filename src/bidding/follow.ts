/** Follows jobs, one after another, whichever is due first. All that it knows is in the store, so a restart loses nothing. */
import { HOUR, type Instant, MINUTE } from '../clock.ts';
import { isClockRight } from '../clock-watch.ts';
import { asError } from '../errors.ts';
import { Bell } from '../feed/bell.ts';
import { ruleFor } from '../feed/trouble.ts';
import type { JobId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { StorageError } from '../storage/store.ts';
import type { JobLook } from './bidding.ts';
import type { BiddingContext } from './context.ts';
import { lookAtJob } from './follow-look.ts';
import { readProposal } from './follow-proposal.ts';
import { postponeReading, recordFailure, recordGone, recordReading } from './follow-record.ts';
import { FARTHEST_DUE_MS, isSettled, soughtProposal } from './pauses.ts';
import { type Job, jobs } from './records.ts';

export interface Tracker {
  /** Follows jobs until the signal is aborted; one that is being read then is read again by the next run. Never throws. */
  run(signal: AbortSignal): Promise<void>;
  /** See `Bidding.look`. */
  look(job: JobId): Promise<JobLook>;
  /** To be called when a job was put on record, or is due earlier than before. */
  wake(): void;
}

const LONGEST_SLEEP_MS = 10 * MINUTE;
const AFTER_FAULT_MS = MINUTE;
/** Whatever the server asks for. */
const LONGEST_RETRY_MS = HOUR;

function isNotFound(thrown: unknown): boolean {
  return thrown instanceof MarketplaceError && thrown.code === 'not-found';
}

export function createTracker(context: BiddingContext): Tracker {
  const { team, store, marketplace, clock, log, clockGuard } = context;
  const bell = new Bell();
  /** What concerns every job (a refused token, no network) keeps all of them waiting. Not stored: a start may try at once. */
  let restsUntil: Instant = 0;

  async function nextDue(): Promise<{ readonly job: Job; readonly dueAt: Instant } | undefined> {
    const [entry] = await store.read((tx) => tx.list(jobs, { index: 'due', prefix: [team], limit: 1 }));
    const job = entry?.value;
    if (job?.follow.state !== 'following') return undefined;
    const { dueAt } = job.follow;
    return { job, dueAt: dueAt > clock.now() + FARTHEST_DUE_MS ? 0 : dueAt };
  }

  /** A fault of our own counts like an answer that failed, so that one job holds up no other. */
  async function fail(job: Job, thrown: unknown): Promise<void> {
    const now = clock.now();
    const { code, details } =
      thrown instanceof MarketplaceError
        ? thrown
        : { code: 'fault', details: { retryAfterMs: AFTER_FAULT_MS } };
    const retryAt = now + Math.min(details.retryAfterMs ?? 0, LONGEST_RETRY_MS);
    const { concern, firstPauseMs } = ruleFor(code);
    if (concern === 'account') restsUntil = Math.max(retryAt, now + firstPauseMs);
    log.warn("Couldn't read a job", { job: job.id, error: asError(thrown) });
    await recordFailure(context, job, retryAt);
  }

  async function ask(job: Job, uid: string | undefined, signal: AbortSignal): Promise<void> {
    if (uid !== undefined) return readProposal(context, job, uid, signal);
    const askedAt = clock.now();
    const status = await marketplace.jobStatus(job.id, { lane: 'tracking', signal });
    await recordReading(context, job, status, askedAt, false);
  }

  async function readJob(job: Job, signal: AbortSignal): Promise<void> {
    if (job.approval?.state === 'sending') return postponeReading(context, job);
    const uid = isSettled(job) ? soughtProposal(job) : undefined;
    try {
      await ask(job, uid, signal);
    } catch (thrown) {
      if (signal.aborted || thrown instanceof StorageError) throw thrown;
      const isGone = uid === undefined && isNotFound(thrown);
      await (isGone ? recordGone(context, job) : fail(job, thrown));
    }
  }

  async function turn(signal: AbortSignal): Promise<void> {
    // A wrong time would end the following of jobs.
    if (clockGuard && !(await isClockRight(clockGuard))) return bell.wait(clock, AFTER_FAULT_MS, signal);
    const next = await nextDue();
    const now = clock.now();
    // Farther off than any rest: the clock was set back.
    if (restsUntil > now + LONGEST_RETRY_MS) restsUntil = 0;
    const at = next && Math.max(next.dueAt, restsUntil);
    if (next && at !== undefined && at <= now) return readJob(next.job, signal);
    const waitMs = Math.min(LONGEST_SLEEP_MS, (at ?? Number.POSITIVE_INFINITY) - now);
    await bell.wait(clock, waitMs, signal);
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await turn(signal);
      } catch (thrown) {
        if (signal.aborted) return;
        log.error('Job tracking loop failed, retrying', { error: asError(thrown) });
        // A bell would not make the disk any larger: this pause is slept through.
        await clock.sleep(AFTER_FAULT_MS, signal).catch(() => undefined);
      }
    }
  }

  return {
    run,
    async look(job) {
      const seen = await lookAtJob(context, job);
      bell.ring();
      return seen;
    },
    wake: () => bell.ring(),
  };
}
