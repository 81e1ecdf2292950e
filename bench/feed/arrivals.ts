/** When new projects come: each filter for itself, at random times, the rates as Zipf's law has them. Pure. */
import { HOUR, type Random } from '../../src/clock.ts';

export interface Arrivals {
  /** Projects a millisecond, filter by filter; the liveliest first. */
  readonly rates: readonly number[];
  /** When each project of a filter comes, in ms from the beginning, in order. */
  readonly at: readonly (readonly number[])[];
}

/** `perHour` projects for all filters together, for so long: the n-th filter has 1/n of what the first has. */
export function makeArrivals(filters: number, perHour: number, ms: number, random: Random): Arrivals {
  const weights = Array.from({ length: filters }, (_, place) => 1 / (place + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const rates = weights.map((weight) => (perHour * weight) / sum / HOUR);
  return { rates, at: rates.map((rate) => arriveAtRandom(rate, ms, random)) };
}

function arriveAtRandom(rate: number, ms: number, random: Random): readonly number[] {
  const times: number[] = [];
  for (let at = 0; ; ) {
    at -= Math.log(1 - random()) / rate;
    if (at >= ms) return times;
    times.push(at);
  }
}
