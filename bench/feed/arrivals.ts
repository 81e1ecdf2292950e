/** Arrival times of new projects: each filter at random times, with rates by Zipf's law. Pure. */
import { HOUR, type RandomSource } from '../../src/clock.ts';

export interface Arrivals {
  /** Projects per millisecond, filter by filter; the busiest first. */
  readonly rates: readonly number[];
  /** Sorted arrival times of each filter's projects, in ms from the beginning. */
  readonly at: readonly (readonly number[])[];
}

/** `perHour` projects over all filters; the n-th filter has 1/n of the first filter's rate. */
export function makeArrivals(filters: number, perHour: number, ms: number, random: RandomSource): Arrivals {
  const weights = Array.from({ length: filters }, (_, place) => 1 / (place + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const rates = weights.map((weight) => (perHour * weight) / sum / HOUR);
  return { rates, at: rates.map((rate) => arriveAtRandom(rate, ms, random)) };
}

function arriveAtRandom(rate: number, ms: number, random: RandomSource): readonly number[] {
  const times: number[] = [];
  for (let at = 0; ; ) {
    at -= Math.log(1 - random()) / rate;
    if (at >= ms) return times;
    times.push(at);
  }
}
