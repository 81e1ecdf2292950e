/**
 * What a 429 changes: how long the gate pauses and how requests restart, and what `auto` assumes the server's
 * limit to be. Times are elapsed ms. Pure.
 * Source: docs/marketplace-api.md, Limits. Why: docs/decisions/0006-gate.md.
 */
import { backoffMs } from '../../base/backoff.ts';
import { HOUR, MINUTE, SECOND } from '../../clock.ts';
import { RATE_WINDOW_MARGIN_MS, RATE_WINDOW_MS } from './slots.ts';

const SHORTEST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;
/** Used when a refusal names no time and no request of ours is about to leave the window. */
const FIRST_BLIND_PAUSE_MS = 5 * SECOND;
/** Spreads the return of several clients that were refused together. */
const JITTER_MS = 250;

/** When requests leave the window one by one and each next one is refused, the gate waits longer. */
const BEFORE_NEXT_LOOK_MS = RATE_WINDOW_MS / 2;
/** Up to this many repeated refusals, the gate trusts the server's Retry-After. */
const DOUBTED_AFTER = 2;

export interface RateLimitRefusal {
  readonly grantedAt: number;
  readonly retryAfterMs: number | undefined;
  /** When the oldest accepted request leaves the window, if there is one. */
  readonly leavesAt: number | undefined;
  /** Random, 0 to 1. */
  readonly jitter: number;
}

/** Nothing starts before `until`. Then one request goes alone, and the rest follow once it isn't refused. */
export class GatePause {
  #until = 0;
  #carefulSince: number | undefined;
  #refusalsInARow = 0;

  get until(): number {
    return this.#until;
  }

  /** Set from a refusal until a later request isn't refused. Meanwhile requests go one at a time. */
  get oneAtATimeSince(): number | undefined {
    return this.#carefulSince;
  }

  restorePause(now: number, pauseMs: number): void {
    this.#begin(now, Math.min(pauseMs, LONGEST_PAUSE_MS));
  }

  recordRefusal(now: number, refusal: RateLimitRefusal): void {
    if (this.#isNews(refusal.grantedAt)) this.#refusalsInARow++;
    this.#begin(now, Math.ceil(this.#pauseMs(now, refusal) + refusal.jitter * JITTER_MS));
  }

  /** A request granted at `grantedAt` ended without a refusal. */
  recordAcceptance(grantedAt: number): void {
    if (!this.#isNews(grantedAt)) return;
    this.#carefulSince = undefined;
    this.#refusalsInARow = 0;
  }

  /** False for further requests of a batch that was sent before its first refusal. */
  #isNews(grantedAt: number): boolean {
    return this.#carefulSince === undefined || grantedAt > this.#carefulSince;
  }

  #begin(now: number, pauseMs: number): void {
    this.#until = Math.max(this.#until, now + pauseMs);
    this.#carefulSince = now;
  }

  #pauseMs(now: number, { retryAfterMs, leavesAt }: RateLimitRefusal): number {
    const again = this.#refusalsInARow - 1;
    if (retryAfterMs !== undefined && Number.isFinite(retryAfterMs)) {
      // A server that keeps refusing gets longer pauses, even if its Retry-After is short.
      const least = again < DOUBTED_AFTER ? SHORTEST_PAUSE_MS : blindPauseMs(again - DOUBTED_AFTER);
      return Math.min(Math.max(retryAfterMs, least), LONGEST_PAUSE_MS);
    }
    if (leavesAt === undefined) return blindPauseMs(again);
    const pauseMs = Math.max(leavesAt - now, SHORTEST_PAUSE_MS, again * BEFORE_NEXT_LOOK_MS);
    return Math.min(pauseMs, RATE_WINDOW_MS + RATE_WINDOW_MARGIN_MS);
  }
}

function blindPauseMs(again: number): number {
  return backoffMs(again + 1, FIRST_BLIND_PAUSE_MS, RATE_WINDOW_MS + RATE_WINDOW_MARGIN_MS);
}

/** docs/marketplace-api.md, Limits, states both. */
export const HIGHEST_REQUEST_LIMIT = 30;
export const LOWEST_REQUEST_LIMIT = 5;

/** After this long without a refusal, the gate climbs back to the limit before the fall. */
export const INITIAL_LIMIT_PROBE_PAUSE_MS = 2 * MINUTE;
export const MAX_LIMIT_PROBE_PAUSE_MS = HOUR;

/** A climb refused within this time has failed. Each failure makes the next pause this many times longer. */
const FAILED_WITHIN_MS = 2 * MINUTE;
const LONGER_BY = 3;

/** A series of refusals. Whatever their reason, they count as one event. */
interface Storm {
  readonly since: number;
  /** When the first refused request got its permit. */
  readonly grantedAt: number;
  /** How many requests before it the server accepted, as far as known. */
  readonly accepted: number;
  readonly limitBefore: number;
  readonly failedClimb: boolean;
}

export interface LimitLearningState {
  readonly limit: number;
  /** The limit before the last fall, unless a climb toward it failed. A climb may soon go this far. */
  readonly goal: number;
  /** Quiet time in milliseconds before the gate tries more than the goal. */
  readonly probePauseMs: number;
  /** Time of the last refusal, or of the start. */
  readonly quietSince: number;
  readonly raisedAt?: number;
  /** Set until the server accepts a request that got its permit after the storm began. */
  readonly storm?: Storm;
}

export function startLimitLearning(
  now: number,
  limit = HIGHEST_REQUEST_LIMIT,
  probePauseMs = INITIAL_LIMIT_PROBE_PAUSE_MS,
): LimitLearningState {
  const known = allowed(limit);
  return {
    limit: known,
    goal: known,
    probePauseMs: between(probePauseMs, INITIAL_LIMIT_PROBE_PAUSE_MS, MAX_LIMIT_PROBE_PAUSE_MS),
    quietSince: now,
  };
}

export interface RefusedRequestStats {
  readonly now: number;
  /** When the refused request got its permit. */
  readonly grantedAt: number;
  /** Requests granted in the 60 s before it that the server accepted or hasn't answered yet. */
  readonly accepted: number;
}

/** After a 429, the limit falls to the number of requests that the server accepted in the minute before. */
export function learnFromRefusal(
  learning: LimitLearningState,
  refusal: RefusedRequestStats,
): LimitLearningState {
  const { storm } = learning;
  if (!storm) return beginStorm(learning, refusal);
  const { now, grantedAt } = refusal;
  // A request sent before the first refusal counted as accepted until now. A later probe says nothing about
  // the limit: the window before it is empty because of the pause.
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
    probePauseMs: between(nextPauseMs, INITIAL_LIMIT_PROBE_PAUSE_MS, MAX_LIMIT_PROBE_PAUSE_MS),
    quietSince: now,
  };
}

function fallTo(learning: LimitLearningState, storm: Storm): LimitLearningState {
  const limit = allowed(Math.min(storm.limitBefore, storm.accepted));
  const goal = storm.failedClimb ? limit : Math.max(learning.goal, storm.limitBefore);
  return { ...learning, limit, goal, storm };
}

/** The server accepted a request whose permit dates from `grantedAt`. */
export function learnFromAcceptance(learning: LimitLearningState, grantedAt: number): LimitLearningState {
  if (learning.storm === undefined || grantedAt <= learning.storm.since) return learning;
  const { storm: _, ...calm } = learning;
  return calm;
}

/** Raises the limit by one when it's time: only the limit holds work back, the last try wasn't refused. */
export function raiseLimitIfDue(learning: LimitLearningState, now: number): LimitLearningState {
  const { limit, storm } = learning;
  if (limit >= HIGHEST_REQUEST_LIMIT || storm !== undefined || now < mayRiseAt(learning)) return learning;
  return { ...learning, limit: limit + 1, raisedAt: now };
}

function mayRiseAt({ limit, goal, quietSince, probePauseMs }: LimitLearningState): number {
  return quietSince + (limit < goal ? INITIAL_LIMIT_PROBE_PAUSE_MS : probePauseMs);
}

/** Set while the limit is well below the goal and no higher one may be tried before `until`. */
export function findLimitReduction(learning: LimitLearningState, now: number) {
  const { limit, goal } = learning;
  const until = mayRiseAt(learning);
  // People don't hear of a small fall.
  return limit <= goal * 0.8 && until > now ? { from: goal, until } : undefined;
}

function allowed(limit: number): number {
  return between(Math.floor(limit), LOWEST_REQUEST_LIMIT, HIGHEST_REQUEST_LIMIT);
}

function between(value: number, low: number, high: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(value, low), high) : high;
}
