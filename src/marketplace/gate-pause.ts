/**
 * For how long nothing may go after the marketplace refused a request for its rate, and who goes first afterwards. Times are elapsed
 * ms. Pure.
 * Source: docs/marketplace-api.md, Limits. Why: docs/decisions/0019-request-gate.md.
 */
import { MINUTE, SECOND } from '../clock.ts';
import { RATE_WINDOW_MARGIN_MS, RATE_WINDOW_MS } from './gate-window.ts';

const SHORTEST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;
/** A refusal without a word when to come back, and nothing of ours in the window that could leave it. */
const FIRST_BLIND_PAUSE_MS = 5 * SECOND;
/** Spreads the return of several clients that were refused together. */
const JITTER_MS = 250;

/** Where one request after the other leaves the window, and each that follows it is refused: not each is tried. */
const BEFORE_NEXT_LOOK_MS = RATE_WINDOW_MS / 2;
/** So many refusals in a row do not speak against what the server says of when to come back. */
const DOUBTED_AFTER = 2;

export interface RateLimitRefusal {
  /** When the refused request was let out. */
  readonly grantedAt: number;
  /** When the server says to come back. */
  readonly retryAfterMs: number | undefined;
  /** When the oldest request that was let through leaves the window, if there is one. */
  readonly leavesAt: number | undefined;
  /** 0 to 1, by chance. */
  readonly jitter: number;
}

/** Nothing goes until `until`; then one request goes alone, and the rest follow when it was not refused. */
export class GatePause {
  #until = 0;
  #carefulSince: number | undefined;
  #refusalsInARow = 0;

  get until(): number {
    return this.#until;
  }

  /** Set after a refusal, until a request let out since then was not refused: who goes meanwhile goes alone. */
  get oneAtATimeSince(): number | undefined {
    return this.#carefulSince;
  }

  /** Takes up what is left of a former process's pause. */
  restorePause(now: number, pauseMs: number): void {
    this.#begin(now, Math.min(pauseMs, LONGEST_PAUSE_MS));
  }

  recordRefusal(now: number, refusal: RateLimitRefusal): void {
    if (this.#isNews(refusal.grantedAt)) this.#refusalsInARow++;
    this.#begin(now, Math.ceil(this.#pauseMs(now, refusal) + refusal.jitter * JITTER_MS));
  }

  /** A request that was let out at `grantedAt` ended otherwise than by a refusal. */
  recordAcceptance(grantedAt: number): void {
    if (!this.#isNews(grantedAt)) return;
    this.#carefulSince = undefined;
    this.#refusalsInARow = 0;
  }

  /** Not just another one of a bunch that went out before the first of them was refused. */
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
      // A server that means what it says is not asked so often in vain.
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
