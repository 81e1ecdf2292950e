/**
 * Recognises what Slack sends a second time. In memory: Slack's repeats end after about 5 minutes, triggers die after
 * 3 s, and what a restart forgets is caught by the effects' own keys.
 */
import { type Clock, HOUR, type Instant } from '../clock.ts';

const KEPT_MS = HOUR;
const MOST_KEPT = 50_000;

export class RecentIds {
  readonly #clock: Clock;
  /** In the order of arrival, so the oldest is first. */
  readonly #seen = new Map<string, Instant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns whether this id has not been met within the hour; from now on it has. */
  recordIfNew(id: string): boolean {
    const now = this.#clock.now();
    for (const [old, at] of this.#seen) {
      if (at + KEPT_MS > now && this.#seen.size <= MOST_KEPT) break;
      this.#seen.delete(old);
    }
    if (this.#seen.has(id)) return false;
    this.#seen.set(id, now);
    return true;
  }
}
