/**
 * Hints: outside tools say that filters may have new projects. Remembers which filters wait for a read
 * because of one, and learns whether hints announce the projects that arrive. In memory only: a lost hint
 * changes nothing but timing. Does no I/O.
 */
import { type Instant, SECOND } from '../clock.ts';
import type { FilterId } from '../ids.ts';

/** How many of the hinted filters are read next, were waiting already, or aren't followed. */
export interface HintCounts {
  readonly accepted: number;
  readonly repeated: number;
  readonly ignored: number;
}

/** A hint may come this long after a regular read found its project. */
const LATE_HINT_MS = 30 * SECOND;
/** A filter is covered by hints after this many announced finds in a row. */
const COVERED_AFTER = 2;
/** Announced finds in a row, of all covered filters, until hints are relied on. */
const RELIED_AFTER = 20;
/** It doubles with each unannounced find, up to this. */
const MOST_RELIED_AFTER = 160;

interface Coverage {
  /** Finds in a row that a hint announced. */
  announced: number;
  /** A regular read found a project, and no hint has announced it yet. */
  unannouncedAt?: Instant | undefined;
}

export class FilterHints {
  #followed: ReadonlySet<FilterId> = new Set();
  /** In the order of their hints, which the value shows. */
  readonly #waiting = new Map<FilterId, number>();
  readonly #coverage = new Map<FilterId, Coverage>();
  #hints = 0;
  #announcedInARow = 0;
  #reliedAfter = RELIED_AFTER;

  /** Forgets all other filters. @param followed those that the feed may read now */
  setFollowed(followed: ReadonlySet<FilterId>): void {
    this.#followed = followed;
    for (const filters of [this.#waiting, this.#coverage])
      for (const filter of filters.keys()) if (!followed.has(filter)) filters.delete(filter);
  }

  add(filters: Iterable<FilterId>, at: Instant): HintCounts {
    let [accepted, repeated, ignored] = [0, 0, 0];
    for (const filter of filters) {
      if (!this.#followed.has(filter)) {
        ignored++;
        continue;
      }
      const since = this.#coverage.get(filter)?.unannouncedAt;
      if (since !== undefined && Math.abs(at - since) < LATE_HINT_MS) this.#noteAnnounced(filter);
      if (this.#waiting.has(filter)) repeated++;
      else {
        this.#waiting.set(filter, ++this.#hints);
        accepted++;
      }
    }
    return { accepted, repeated, ignored };
  }

  /** The order of the filter's hint; undefined: it waits for no read. */
  getOrder(filter: FilterId): number | undefined {
    return this.#waiting.get(filter);
  }

  /** Whether the filter's projects arrive with hints, so that it needs regular reads rarely. */
  isReliedOn(filter: FilterId): boolean {
    return (
      this.#announcedInARow >= this.#reliedAfter &&
      (this.#coverage.get(filter)?.announced ?? 0) >= COVERED_AFTER
    );
  }

  /** A read of the newest projects begins. @returns whether a hint waited for it */
  beginRead(filter: FilterId): boolean {
    return this.#waiting.delete(filter);
  }

  /** @param found new projects; undefined: the read can't tell, so its hint waits for the next one */
  endRead(filter: FilterId, wasHinted: boolean, found: number | undefined, at: Instant): void {
    if (found === undefined) {
      if (wasHinted && !this.#waiting.has(filter)) this.#waiting.set(filter, ++this.#hints);
      return;
    }
    if (found === 0) return;
    if (wasHinted || this.#waiting.has(filter)) this.#noteAnnounced(filter);
    else this.#coverageOf(filter).unannouncedAt ??= at;
  }

  /** Counts finds that no hint has announced in time. */
  judge(now: Instant): void {
    for (const coverage of this.#coverage.values()) {
      const { unannouncedAt } = coverage;
      // A time in the future comes from a clock that was set back.
      if (unannouncedAt === undefined || Math.abs(now - unannouncedAt) < LATE_HINT_MS) continue;
      if (coverage.announced >= COVERED_AFTER) {
        this.#announcedInARow = 0;
        this.#reliedAfter = Math.min(2 * this.#reliedAfter, MOST_RELIED_AFTER);
      }
      coverage.announced = 0;
      coverage.unannouncedAt = undefined;
    }
  }

  #noteAnnounced(filter: FilterId): void {
    const coverage = this.#coverageOf(filter);
    coverage.unannouncedAt = undefined;
    coverage.announced++;
    this.#announcedInARow++;
  }

  #coverageOf(filter: FilterId): Coverage {
    const known = this.#coverage.get(filter) ?? { announced: 0 };
    this.#coverage.set(filter, known);
    return known;
  }
}
