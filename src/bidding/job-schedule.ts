/** When a job is read again, and when it is followed no further. Pure. */
import { HOUR, type Instant, MINUTE, type Random, SECOND } from '../clock.ts';
import { parseInstant } from '../marketplace/wire-values.ts';
import { isJobSkipped, isPendingReview } from './job-status-text.ts';
import type { Job } from './records.ts';

/** Before the first reading of a round, the second, …; the last one holds on. */
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

/** Pauses differ by up to this share, so that jobs made together are not read together for ever. */
const JITTER = 0.1;

/** A job that only waits for a far date is looked at now and then: people approve and cancel elsewhere, too. */
const LONGEST_WAIT_MS = 6 * HOUR;

/** The first reading tells whether a job waits for review, so it waits for no date longer than this. */
const LONGEST_FIRST_WAIT_MS = 2 * MINUTE;

/** No job is due later than this from when that was decided: one that is was put on record by a clock that went wrong. */
export const MAX_DUE_DELAY_MS = LONGEST_WAIT_MS * (1 + JITTER);

/** How long an unsettled job is followed, from the later of the round's beginning and the date that it is scheduled for. */
export const JOB_TRACKING_HOURS = 48;

/** For so long the proposal of a job that was sent is looked for. */
const PROPOSAL_SOUGHT_MS = 24 * HOUR;

type Follow = Job['follow'];
type Following = Extract<Follow, { state: 'following' }>;

/** Whether a job has come to its end: it was processed, has failed, became a proposal, or was skipped. */
export function isJobFinished(job: Job): boolean {
  const { processedAt, errorMessage, applicationUid } = job;
  return Boolean(processedAt || errorMessage || applicationUid) || isJobSkipped(job);
}

/** The application uid of the proposal that a job became, while that has not been read yet. */
export function findPendingProposalUid(job: Job): string | undefined {
  return job.proposal ? undefined : job.applicationUid || undefined;
}

/** @param scheduledAt as the server wrote it: ISO 8601 or `Y-m-d H:i:s`, taken for UTC; what can't be read counts as missing */
export function decideFirstStatusCheck(scheduledAt: string | undefined, at: Instant): Following {
  const scheduled = parseInstant(scheduledAt) ?? at;
  const wait = Math.min(Math.max(0, scheduled - at), LONGEST_FIRST_WAIT_MS);
  return { state: 'following', since: at, step: 0, dueAt: at + wait + PAUSES_MS[0] };
}

function jittered(ms: number, random: Random): number {
  return Math.round(ms * (1 - JITTER + 2 * JITTER * random()));
}

function pauseBefore(step: number, random: Random): number {
  return jittered(PAUSES_MS[step] ?? LONGEST_PAUSE_MS, random);
}

/** A job that waits for its date: read shortly after that, and then at growing pauses from the first. */
function awaitDate(since: Instant, scheduled: Instant, at: Instant, random: Random): Following {
  const afterIt = scheduled + pauseBefore(0, random);
  const dueAt = Math.min(afterIt, at + jittered(LONGEST_WAIT_MS, random));
  return { state: 'following', since, step: 0, dueAt };
}

/** The next reading at the growing pauses, and not after `end`; from then on `ended`. */
function goOn(
  follow: Following,
  at: Instant,
  random: Random,
  end: Instant,
  ended: 'left' | 'settled',
): Follow {
  if (at >= end) return { state: ended, at };
  const step = follow.step + 1;
  const dueAt = Math.min(at + pauseBefore(step, random), end);
  return { state: 'following', since: follow.since, step, dueAt };
}

/**
 * How a job is followed after a reading, or after one that failed.
 * @param follow as it was; whoever is not followed is not followed after it
 * @param job as it is now
 * @param random decides the jitter
 */
export function decideNextStatusCheck(follow: Follow, job: Job, at: Instant, random: Random): Follow {
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

/** How a job is followed once its proposal is to be looked for: a round of its own, which begins at once. */
export function decideFirstProposalCheck(at: Instant): Following {
  return { state: 'following', since: at, step: -1, dueAt: at };
}
