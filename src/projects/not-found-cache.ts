/**
 * Ids that the marketplace recently didn't know: repeating the lookup costs no request. In memory; a restart
 * clears it.
 */
import { type Clock, type Instant, MINUTE } from '../clock.ts';

/** Long enough for a link that people share, short enough for a project that appears later. */
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

  /** When the marketplace said it doesn't know this id; undefined when a request is allowed. */
  notFoundAt(reference: string): Instant | undefined {
    const at = this.#askedAt.get(reference);
    const now = this.#clock.now();
    // A future time means the clock was set back; it would keep the id unknown for too long.
    return at !== undefined && at <= now && now < at + NOT_FOUND_TTL_MS ? at : undefined;
  }
}
