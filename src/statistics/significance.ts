/** Tests whether a difference between shares may be chance. Pure. */

/** `count` out of `of`. */
export interface SampleShare {
  readonly count: number;
  readonly of: number;
}

/** Weights this far below the likeliest no longer change a sum of doubles. */
const NEGLIGIBLE = 1e-16;
/** Tolerates rounding errors for tables as likely as the observed one. */
const AS_LIKELY = 1 + 1e-7;

/**
 * The probability of shares at least this different when both samples come from the same distribution:
 * Fisher's exact test, two-sided, which sums all tables no likelier than this one. Exact for small samples
 * too, and rather conservative. The number of steps grows with the standard deviation: at most some 2,000 for
 * 50,000 proposals. Sources: R. A. Fisher, J. R. Stat. Soc. 98 (1935), 39; J. O. Irwin, Metron 12 (1935), 83
 * (the two-sided sum).
 * @returns 0 to 1
 */
export function calculatePValue(one: SampleShare, other: SampleShare): number {
  const successes = one.count + other.count;
  const all = one.of + other.of;
  const first = Math.max(0, successes - other.of);
  const last = Math.min(one.of, successes);
  const mode = Math.min(last, Math.max(first, Math.floor(((one.of + 1) * (successes + 1)) / (all + 2))));
  /** How much likelier `count + 1` is than `count` in the hypergeometric distribution. */
  const step = (count: number) =>
    ((one.of - count) * (successes - count)) / ((count + 1) * (other.of - successes + count + 1));
  // Weights are relative to the likeliest table, indexed by the first sample's count.
  const met = weightOf(one.count, mode, step) * AS_LIKELY;
  let sum = 1;
  let unlikely = met >= 1 ? 1 : 0;
  const add = (weight: number) => {
    sum += weight;
    if (weight <= met) unlikely += weight;
  };
  for (let count = mode, weight = 1; count < last && weight > NEGLIGIBLE; count++) {
    weight *= step(count);
    add(weight);
  }
  for (let count = mode, weight = 1; count > first && weight > NEGLIGIBLE; count--) {
    weight /= step(count - 1);
    add(weight);
  }
  return Math.min(1, unlikely / sum);
}

function weightOf(count: number, mode: number, step: (count: number) => number): number {
  let weight = 1;
  for (let at = mode; at < count && weight > NEGLIGIBLE; at++) weight *= step(at);
  for (let at = mode; at > count && weight > NEGLIGIBLE; at--) weight /= step(at - 1);
  return weight;
}

/** At most this share of all reports without real differences may show one by chance. */
const LEVEL = 0.05;

/**
 * Which of several comparisons are beyond chance. Without real differences, at most one report in twenty
 * shows any: Holm's step-down method, which holds however the comparisons depend on each other.
 * Source: S. Holm, Scand. J. Stat. 6 (1979), 65.
 * @param chances p-value of each comparison, 0 to 1
 * @returns the result for each, in the same order
 */
export function areComparisonsSignificant(chances: readonly number[]): readonly boolean[] {
  const rising = [...chances.keys()].sort((a, b) => (chances[a] ?? 1) - (chances[b] ?? 1));
  const beyond = chances.map(() => false);
  for (const [rank, place] of rising.entries()) {
    if ((chances[place] ?? 1) > LEVEL / (chances.length - rank)) break;
    beyond[place] = true;
  }
  return beyond;
}
