/** Ids that the marketplace did not know a moment ago: asking again costs no request. In memory, so a restart forgets them. */
import { type Clock, type Instant, MINUTE } from '../clock.ts';

/** Long enough for a link that is pasted around, short enough for a project that appears. */
export const NOT_FOUND_TTL_MS = 3 * MINUTE;
const MOST_KEPT = 1_000;

export class NotFoundCache {
  readonly #clock: Clock;
  /** When the marketplace answered, oldest first. */
  readonly #askedAt = new Map<string, Instant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(reference: string): void {
    this.#askedAt.delete(reference);
    this.#askedAt.set(reference, this.#clock.now());
    for (const oldest of this.#askedAt.keys()) {
      if (this.#askedAt.size <= MOST_KEPT) return;
      this.#askedAt.delete(oldest);
    }
  }

  /** When the marketplace said that it does not know this id; undefined where it may be asked. */
  notFoundAt(reference: string): Instant | undefined {
    const at = this.#askedAt.get(reference);
    const now = this.#clock.now();
    // A time in the future comes from a clock that was set back: it would keep the id unknown for too long.
    return at !== undefined && at <= now && now < at + NOT_FOUND_TTL_MS ? at : undefined;
  }
}
