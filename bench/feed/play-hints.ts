/** What outside tools send in the hints benchmark, and the delays that the pause between reads allows. Pure. */
import { type RandomSource, SECOND } from '../../src/clock.ts';
import type { Arrivals } from './arrivals.ts';
import type { TimedHint } from './run-feed.ts';

/** From a project's publication to the tool's hint. */
export const HINT_MS = 500;

function sorted(hints: readonly TimedHint[]): readonly TimedHint[] {
  return hints.toSorted((a, b) => a.at - b.at);
}

/** A hint for each project, without the share that gets lost. */
export function announce({ at }: Arrivals, lost: number, random: RandomSource): readonly TimedHint[] {
  const all = at.flatMap((times, place) => times.map((came) => ({ at: came + HINT_MS, filter: place + 1 })));
  return sorted(all.filter(() => random() >= lost));
}

/** False hints for the first `filters` filters, in turns: one every `everyMs`. */
export function flood(filters: number, everyMs: number, until: number): readonly TimedHint[] {
  const count = Math.floor(until / everyMs);
  return Array.from({ length: count }, (_, place) => ({
    at: place * everyMs,
    filter: 1 + (place % filters),
  }));
}

/** Waits if each hint is read at once, or when its filter's pause is over: no plan can be faster. */
export function leastWaits({ at }: Arrivals, from: number, pauseMs = 10 * SECOND): readonly number[] {
  return at.flatMap((times) => {
    let readAt = Number.NEGATIVE_INFINITY;
    return times.flatMap((came) => {
      if (came > readAt) readAt = Math.max(came + HINT_MS, readAt + pauseMs);
      return came < from ? [] : [readAt - came];
    });
  });
}
