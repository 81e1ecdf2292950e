/**
 * Recognizes requests that Slack sends again. In memory only: Slack stops repeating after about 5 minutes,
 * and triggers expire after 3 s. After a restart, the effects' own keys catch repeats.
 */
import { type Clock, HOUR, type Instant } from '../../clock.ts';

const KEPT_MS = HOUR;
const MOST_KEPT = 50_000;

export class RecentIdDeduplicator {
  readonly #clock: Clock;
  /** In order of arrival, oldest first. */
  readonly #seen = new Map<string, Instant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Remembers the ID. @returns whether it is new within the last hour. */
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
