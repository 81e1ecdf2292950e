/**
 * The best plan with a fixed interval for each filter, found numerically. Read every T, a filter's projects
 * wait T/2 in the mean. So it minimizes `sum(rate x T) / 2` where `sum(1 / T)` is what the limit allows and T
 * stays within its bounds. Pure.
 */

export interface IntervalBounds {
  /** Reads per millisecond, over all filters. */
  readonly reads: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

const ROUNDS = 200;

/**
 * Milliseconds between two reads, filter by filter. With too few reads for `mostMs` everywhere, all filters
 * get the same interval.
 * @param rates projects per millisecond, each above 0
 */
export function bestIntervals(rates: readonly number[], bounds: IntervalBounds): readonly number[] {
  const { reads, leastMs, mostMs } = bounds;
  if (rates.length / mostMs >= reads) return rates.map(() => rates.length / reads);
  // Where no bound is met, the derivatives are equal: rate = price / T^2. A higher price of reads makes T
  // longer.
  const at = (price: number) =>
    rates.map((rate) => Math.min(mostMs, Math.max(leastMs, Math.sqrt(price / rate))));
  let low = 0;
  let high = mostMs ** 2 * Math.max(...rates);
  for (let round = 0; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (readsOf(at(middle)) > reads) low = middle;
    else high = middle;
  }
  return at(high);
}

function readsOf(intervals: readonly number[]): number {
  return intervals.reduce((sum, interval) => sum + 1 / interval, 0);
}
