/**
 * When background requests take their turns: evenly over the minute, so that they do not leave the window together, come back
 * together and find little new each time. Times are elapsed ms. Pure.
 * Why: docs/decisions/0019-request-gate.md.
 */
import { SECOND } from '../clock.ts';
import { RATE_WINDOW_MS } from './gate-window.ts';

/** Work that begins after a minute without any may fill its share at once, within so long; then it is spread. */
const BURST_MS = 10 * SECOND;

/** So far back, turns that nobody took may still be taken. */
const UNUSED_TURNS_MS = 20 * SECOND;

/** Says when the next background request may go as far as the spreading is concerned; the window and pauses may forbid it all the same. */
export class BackgroundPacer {
  #nextAt = Number.NEGATIVE_INFINITY;
  #burstEndsAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;

  canStart(now: number): boolean {
    return now < this.#burstEndsAt || now >= this.#nextAt;
  }

  /** When the next turn comes, a burst aside; in the past when it has come already. */
  get nextStartAt(): number {
    return this.#nextAt;
  }

  /** A request that has waited since `since` takes its turn at `now`, one of `places` in a minute. */
  recordStart(now: number, since: number, places: number): void {
    if (now - this.#nextAt >= RATE_WINDOW_MS) this.#burstEndsAt = now + BURST_MS;
    // Whoever comes while nobody waits finds the turns that went by unused; those who wait in a row get no two at once.
    const turn = since === now ? Math.max(this.#nextAt, now - UNUSED_TURNS_MS) : now;
    this.#nextAt = turn + RATE_WINDOW_MS / places;
  }

  /** Whoever took a turn has sent nothing: the next need not wait for it. */
  cancelStart(now: number): void {
    this.#nextAt = Math.min(this.#nextAt, Math.max(now, this.#heldUntil));
  }

  /** No turn comes before `at`, and what begins then is spread from the first: others were let out until then, or refused. */
  blockUntil(at: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, at);
    this.#nextAt = Math.max(this.#nextAt, at);
    this.#burstEndsAt = Number.NEGATIVE_INFINITY;
  }
}
