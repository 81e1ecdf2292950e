/** Estimates the confidence interval of a sampled share. Pure. */

/** Normal distribution: 95% lie within this many standard deviations. */
const Z = 1.959963984540054;

/** A sample's share and the 95% confidence interval of the true one; all from 0 to 1. */
export interface RateEstimate {
  readonly count: number;
  readonly of: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval without continuity correction: within 0 and 1, and suited to small samples and
 * shares near 0. An empty sample gives 0 to 1. Sources: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927), 209; R.
 * G. Newcombe, Statist. Med. 17 (1998), 857, method 3.
 * @param count from 0 to `of`
 */
export function wilsonRate(count: number, of: number): RateEstimate {
  if (of <= 0) return { count: 0, of: 0, rate: 0, low: 0, high: 1 };
  const rate = count / of;
  const scale = 1 + Z ** 2 / of;
  const middle = (rate + Z ** 2 / (2 * of)) / scale;
  const reach = (Z * Math.sqrt((rate * (1 - rate)) / of + Z ** 2 / (4 * of ** 2))) / scale;
  // At the ends the formula gives exactly 0 and 1, but the computed value has a rounding error.
  return {
    count,
    of,
    rate,
    low: count === 0 ? 0 : Math.max(0, middle - reach),
    high: count === of ? 1 : Math.min(1, middle + reach),
  };
}
