/**
 * What `auto` believes the server's limit to be. The API description states two limits, so the gate starts at the
 * higher one, falls to what the server's refusals prove, and tries one more now and then. Pure.
 */
import { HOUR, MINUTE } from '../clock.ts';

/** Both stated in docs/marketplace-api.md, Limits. */
export const HIGHEST_LIMIT = 30;
export const LOWEST_LIMIT = 5;

export const FIRST_PROBE_PAUSE_MS = 10 * MINUTE;
export const LONGEST_PROBE_PAUSE_MS = 6 * HOUR;

export interface Learning {
  readonly limit: number;
  /** How long the window must have been full before a higher limit is tried. */
  readonly probePauseMs: number;
  /** Minutes, since the last change, in which work was held back by the limit. */
  readonly fullMinutes: number;
  readonly fullCountedAt?: number;
  /** The present limit is an attempt that no refusal has answered yet. */
  readonly probing: boolean;
  /** The window has held as many requests as the present limit allows. */
  readonly reached: boolean;
}

export function startLearning(limit = HIGHEST_LIMIT, probePauseMs = FIRST_PROBE_PAUSE_MS): Learning {
  return {
    limit: between(Math.floor(limit), LOWEST_LIMIT, HIGHEST_LIMIT),
    probePauseMs: between(probePauseMs, FIRST_PROBE_PAUSE_MS, LONGEST_PROBE_PAUSE_MS),
    fullMinutes: 0,
    probing: false,
    reached: false,
  };
}

/** A 429 came while `accepted` other requests were in the window: that many are possible, and no more are. */
export function learnFromRefusal(learning: Learning, accepted: number): Learning {
  const probePauseMs = learning.probing ? learning.probePauseMs * 2 : learning.probePauseMs;
  return startLearning(Math.min(learning.limit, accepted), probePauseMs);
}

/** `used` places are taken now. */
export function learnFromUse(learning: Learning, used: number): Learning {
  return learning.reached || used < learning.limit ? learning : { ...learning, reached: true };
}

/**
 * Work waits at `now` because of the limit alone. Ten such minutes without a refusal (more after failed attempts) earn
 * one more request a minute; an attempt that was used to the full and not refused makes the next one cheap again.
 */
export function learnFromFullWindow(learning: Learning, now: number): Learning {
  if (learning.limit >= HIGHEST_LIMIT) return learning;
  if (learning.fullCountedAt === undefined) return { ...learning, fullCountedAt: now };
  if (now - learning.fullCountedAt < MINUTE) return learning;
  const fullMinutes = learning.fullMinutes + 1;
  if (fullMinutes * MINUTE < learning.probePauseMs) return { ...learning, fullMinutes, fullCountedAt: now };
  const proved = learning.probing && learning.reached;
  const probePauseMs = proved ? FIRST_PROBE_PAUSE_MS : learning.probePauseMs;
  return { ...startLearning(learning.limit + 1, probePauseMs), probing: true };
}

function between(value: number, low: number, high: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(value, low), high) : high;
}
