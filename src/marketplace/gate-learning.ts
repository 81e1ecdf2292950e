/**
 * What `auto` believes the server's limit to be. The API description states two limits, so the gate starts at the
 * higher one, falls to what the server's refusals prove, and climbs again. Times are elapsed ms. Pure.
 */
import { HOUR, MINUTE } from '../clock.ts';

/** Both stated in docs/marketplace-api.md, Limits. */
export const HIGHEST_REQUEST_LIMIT = 30;
export const LOWEST_REQUEST_LIMIT = 5;

/** Without a refusal for so long, the gate climbs back to what it had before a fall. */
export const FIRST_PROBE_PAUSE_MS = 2 * MINUTE;
export const LONGEST_PROBE_PAUSE_MS = HOUR;

/** A climb that is refused so soon has failed: each failure makes the next pause so many times as long. */
const FAILED_WITHIN_MS = 2 * MINUTE;
const LONGER_BY = 3;

/** A fall of less than this part of the limit is not worth a word to people. */
const WORTH_TELLING = 0.2;

/** Refusals in a row: whatever their reason, they are one piece of news. */
interface Storm {
  /** When the first of them came. */
  readonly since: number;
  /** When the request that met it was let out. */
  readonly grantedAt: number;
  /** Of the requests before that one, how many the server has let through, as far as known. */
  readonly accepted: number;
  readonly limitBefore: number;
  readonly failedClimb: boolean;
}

export interface LimitLearningState {
  readonly limit: number;
  /** What was allowed before the last fall, unless a climb towards it failed: so far a climb may go soon. */
  readonly goal: number;
  /** How long there must have been no refusal before more than the goal is tried, in milliseconds. */
  readonly probePauseMs: number;
  /** The last refusal, or the start. */
  readonly quietSince: number;
  readonly raisedAt?: number;
  /** Until the server lets a request through again that was let out after its beginning. */
  readonly storm?: Storm;
}

export function startLimitLearning(
  now: number,
  limit = HIGHEST_REQUEST_LIMIT,
  probePauseMs = FIRST_PROBE_PAUSE_MS,
): LimitLearningState {
  const known = allowed(limit);
  return {
    limit: known,
    goal: known,
    probePauseMs: between(probePauseMs, FIRST_PROBE_PAUSE_MS, LONGEST_PROBE_PAUSE_MS),
    quietSince: now,
  };
}

export interface RefusedRequestStats {
  readonly now: number;
  /** When the refused request was let out. */
  readonly grantedAt: number;
  /** Requests let out in the 60 s before it that the server has let through, or not answered yet. */
  readonly accepted: number;
}

/** A 429: as many as the server had let through in the minute before are possible, and no more are. */
export function learnFromRefusal(
  learning: LimitLearningState,
  refusal: RefusedRequestStats,
): LimitLearningState {
  const { storm } = learning;
  if (!storm) return beginStorm(learning, refusal);
  const { now, grantedAt } = refusal;
  // One that went out before the first of them was taken for accepted until now. One that went out since, to see whether it is
  // over, tells nothing of a limit: the window before it is empty because of the pause.
  const accepted = grantedAt <= storm.grantedAt ? storm.accepted - 1 : storm.accepted;
  return { ...fallTo(learning, { ...storm, accepted }), quietSince: now };
}

function beginStorm(
  learning: LimitLearningState,
  { now, grantedAt, accepted }: RefusedRequestStats,
): LimitLearningState {
  const { limit, raisedAt, probePauseMs } = learning;
  const failedClimb = raisedAt !== undefined && now - raisedAt <= FAILED_WITHIN_MS;
  const nextPauseMs = failedClimb ? probePauseMs * LONGER_BY : probePauseMs / LONGER_BY;
  const { raisedAt: _, ...rest } = learning;
  const storm = { since: now, grantedAt, accepted, limitBefore: limit, failedClimb };
  return {
    ...fallTo(rest, storm),
    probePauseMs: between(nextPauseMs, FIRST_PROBE_PAUSE_MS, LONGEST_PROBE_PAUSE_MS),
    quietSince: now,
  };
}

function fallTo(learning: LimitLearningState, storm: Storm): LimitLearningState {
  const limit = allowed(Math.min(storm.limitBefore, storm.accepted));
  const goal = storm.failedClimb ? limit : Math.max(learning.goal, storm.limitBefore);
  return { ...learning, limit, goal, storm };
}

/** The server let a request through that was let out at `grantedAt`. */
export function learnFromAcceptance(learning: LimitLearningState, grantedAt: number): LimitLearningState {
  if (learning.storm === undefined || grantedAt <= learning.storm.since) return learning;
  const { storm: _, ...calm } = learning;
  return calm;
}

/** Work waits at `now` because of the limit alone, and the last attempt was not refused: one more, if it is time for that. */
export function learnFromFullWindow(learning: LimitLearningState, now: number): LimitLearningState {
  const { limit, storm } = learning;
  if (limit >= HIGHEST_REQUEST_LIMIT || storm !== undefined || now < mayRiseAt(learning)) return learning;
  return { ...learning, limit: limit + 1, raisedAt: now };
}

function mayRiseAt({ limit, goal, quietSince, probePauseMs }: LimitLearningState): number {
  return quietSince + (limit < goal ? FIRST_PROBE_PAUSE_MS : probePauseMs);
}

/** The limit is well below what it was, and no more will be tried before `until`. */
export function findLimitReduction(
  learning: LimitLearningState,
  now: number,
): { readonly from: number; readonly until: number } | undefined {
  const { limit, goal } = learning;
  const until = mayRiseAt(learning);
  return limit <= goal * (1 - WORTH_TELLING) && until > now ? { from: goal, until } : undefined;
}

function allowed(limit: number): number {
  return between(Math.floor(limit), LOWEST_REQUEST_LIMIT, HIGHEST_REQUEST_LIMIT);
}

function between(value: number, low: number, high: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(value, low), high) : high;
}
