/**
 * How long the gate pauses after a 429, and how requests restart. Times are elapsed ms. Pure.
 * Source: docs/marketplace-api.md, Limits. Why: docs/decisions/0019-request-gate.md.
 */
import { MINUTE, SECOND } from '../clock.ts';
import { RATE_WINDOW_MARGIN_MS, RATE_WINDOW_MS } from './gate-window.ts';

const SHORTEST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;
/** Used when a refusal names no time and no request of ours is about to leave the window. */
const FIRST_BLIND_PAUSE_MS = 5 * SECOND;
/** Spreads the return of several clients that were refused together. */
const JITTER_MS = 250;

/**
 * When requests leave the window one by one and each next one is refused, the gate waits longer, not trying
 * each.
 */
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
  return Math.min(FIRST_BLIND_PAUSE_MS * 2 ** Math.min(again, 10), RATE_WINDOW_MS + RATE_WINDOW_MARGIN_MS);
}
