/** Decides when a job is checked next, and when tracking ends. Pure. */
import { HOUR, type Instant, MINUTE, type RandomSource, SECOND } from '../clock.ts';
import { parseInstant } from '../marketplace/wire/values.ts';
import { isJobSkipped, isPendingReview } from './job-status-text.ts';
import type { Job } from './records.ts';

/** Pauses before the first check of a round, the second and so on; the last one repeats. */
const PAUSES_MS = [
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  20 * MINUTE,
  30 * MINUTE,
] as const;
const LONGEST_PAUSE_MS = 30 * MINUTE;

/** Pauses vary by up to this share, so that jobs created together don't stay in step. */
const JITTER = 0.1;

/** A job with a distant date is still checked now and then: people approve and cancel elsewhere, too. */
const LONGEST_WAIT_MS = 6 * HOUR;

/** The first check shows whether a job waits for review, so it isn't delayed longer than this. */
const LONGEST_FIRST_WAIT_MS = 2 * MINUTE;

/** No job is due later than this from its last decision. A later one was stored by a wrong clock. */
export const MAX_JOB_CHECK_DELAY_MS = LONGEST_WAIT_MS * (1 + JITTER);

/** Hours of tracking for an unsettled job, from the round's start or the scheduled date if that is later. */
export const JOB_TRACKING_HOURS = 48;

/** How long to look for the proposal of a sent job. */
const PROPOSAL_SOUGHT_MS = 24 * HOUR;

type Follow = Job['follow'];
type Following = Extract<Follow, { state: 'following' }>;

/** Whether a job is finished: processed, failed, sent as a proposal, or skipped. */
export function isJobFinished(job: Job): boolean {
  const { processedAt, errorMessage, applicationUid } = job;
  return Boolean(processedAt || errorMessage || applicationUid) || isJobSkipped(job);
}

/** The application uid of a job's proposal that hasn't been read yet. */
export function findPendingProposalUid(job: Job): string | undefined {
  return job.proposal ? undefined : job.applicationUid || undefined;
}

/** @param scheduledAt in the server's format: ISO 8601 or `Y-m-d H:i:s`, read as UTC; if invalid, ignored */
export function decideFirstStatusCheck(scheduledAt: string | undefined, at: Instant): Following {
  const scheduled = parseInstant(scheduledAt) ?? at;
  const wait = Math.min(Math.max(0, scheduled - at), LONGEST_FIRST_WAIT_MS);
  return { state: 'following', since: at, step: 0, dueAt: at + wait + PAUSES_MS[0] };
}

function jittered(ms: number, random: RandomSource): number {
  return Math.round(ms * (1 - JITTER + 2 * JITTER * random()));
}

function pauseBefore(step: number, random: RandomSource): number {
  return jittered(PAUSES_MS[step] ?? LONGEST_PAUSE_MS, random);
}

/** For a job that waits for its date: check shortly after it, then with growing pauses from the first. */
function awaitDate(since: Instant, scheduled: Instant, at: Instant, random: RandomSource): Following {
  const afterIt = scheduled + pauseBefore(0, random);
  const dueAt = Math.min(afterIt, at + jittered(LONGEST_WAIT_MS, random));
  return { state: 'following', since, step: 0, dueAt };
}

/** The next check after a growing pause, at the latest at `end`; from then on `ended`. */
function goOn(
  follow: Following,
  at: Instant,
  random: RandomSource,
  end: Instant,
  ended: 'left' | 'settled',
): Follow {
  if (at >= end) return { state: ended, at };
  const step = follow.step + 1;
  const dueAt = Math.min(at + pauseBefore(step, random), end);
  return { state: 'following', since: follow.since, step, dueAt };
}

/**
 * The tracking state after a status check or a failed one.
 * @param follow the state before; a job that isn't tracked stays untracked
 * @param job as it is now
 * @param random decides the jitter
 */
export function decideNextStatusCheck(follow: Follow, job: Job, at: Instant, random: RandomSource): Follow {
  if (follow.state !== 'following') return follow;
  if (isJobFinished(job)) {
    if (findPendingProposalUid(job) === undefined) return { state: 'settled', at };
    return goOn(follow, at, random, follow.since + PROPOSAL_SOUGHT_MS, 'settled');
  }
  const scheduled = parseInstant(job.scheduledAt);
  const waitsForDate = scheduled !== undefined && scheduled > at && !isPendingReview(job);
  if (waitsForDate) return awaitDate(follow.since, scheduled, at, random);
  const from = Math.max(follow.since, scheduled ?? follow.since);
  return goOn(follow, at, random, from + JOB_TRACKING_HOURS * HOUR, 'left');
}

/** Starts the search for a job's proposal: a round of its own that begins at once. */
export function decideFirstProposalCheck(at: Instant): Following {
  return { state: 'following', since: at, step: -1, dueAt: at };
}
