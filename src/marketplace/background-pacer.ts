/**
 * Spreads background requests evenly over the minute. Otherwise they would all leave the window together,
 * come back together, and find little new. Times are elapsed ms. Pure.
 * Why: docs/decisions/0019-request-gate.md.
 */
import { SECOND } from '../clock.ts';
import { RATE_WINDOW_MS } from './gate-window.ts';

/** After a minute without background work, requests may fill their share at once for this long. */
const BURST_MS = 10 * SECOND;

/** Unused turns stay available for this long. */
const UNUSED_TURNS_MS = 20 * SECOND;

/**
 * Says when the next background request may start as far as pacing is concerned. The window and pauses may
 * still block it.
 */
export class BackgroundPacer {
  #nextAt = Number.NEGATIVE_INFINITY;
  #burstEndsAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;

  canStart(now: number): boolean {
    return now < this.#burstEndsAt || now >= this.#nextAt;
  }

  /** When the next turn comes, bursts aside. In the past if it has already come. */
  get nextStartAt(): number {
    return this.#nextAt;
  }

  /** A request that has waited since `since` takes its turn at `now`, one of `places` in a minute. */
  recordStart(now: number, since: number, places: number): void {
    if (now - this.#nextAt >= RATE_WINDOW_MS) this.#burstEndsAt = now + BURST_MS;
    // A request that arrives at an empty queue may use missed turns. Requests that queue up never get 2 turns
    // at once.
    const turn = since === now ? Math.max(this.#nextAt, now - UNUSED_TURNS_MS) : now;
    this.#nextAt = turn + RATE_WINDOW_MS / places;
  }

  /** The request that took the last turn was never sent, so the next one doesn't wait for it. */
  cancelStart(now: number): void {
    this.#nextAt = Math.min(this.#nextAt, Math.max(now, this.#heldUntil));
  }

  /**
   * No turn comes before `at`, and no burst follows: other requests ran until then, or the server refused
   * some.
   */
  blockUntil(at: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, at);
    this.#nextAt = Math.max(this.#nextAt, at);
    this.#burstEndsAt = Number.NEGATIVE_INFINITY;
  }
}
