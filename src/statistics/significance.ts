/** Whether a difference between shares may be chance. Pure. */

/** So many of so many. */
export interface SampleShare {
  readonly count: number;
  readonly of: number;
}

/** What is improbable by so much, set beside the likeliest, no longer adds to a sum of doubles. */
const NEGLIGIBLE = 1e-16;
/** Tables as likely as the one that was met, but for rounding. */
const AS_LIKELY = 1 + 1e-7;

/**
 * How likely shares as unlike as these or more so are, if both samples were drawn from the same: Fisher's exact test, two-sided, by
 * adding up all tables that are no likelier than this one. Exact for small samples, too, and rather too careful than too bold.
 * Takes a number of steps that grows with the standard deviation: at most some 2,000 for 50,000 proposals.
 * Sources: R. A. Fisher, J. R. Stat. Soc. 98 (1935), 39; J. O. Irwin, Metron 12 (1935), 83 (the two-sided sum).
 * @returns 0 to 1
 */
export function calculatePValue(one: SampleShare, other: SampleShare): number {
  const successes = one.count + other.count;
  const all = one.of + other.of;
  const first = Math.max(0, successes - other.of);
  const last = Math.min(one.of, successes);
  const mode = Math.min(last, Math.max(first, Math.floor(((one.of + 1) * (successes + 1)) / (all + 2))));
  /** How much likelier `count + 1` is than `count`, of the hypergeometric distribution. */
  const step = (count: number) =>
    ((one.of - count) * (successes - count)) / ((count + 1) * (other.of - successes + count + 1));
  // Weights are beside that of the likeliest table, by how many of the first sample it counts.
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

/** A difference that is called one would come about by chance in at most so many of all reports. */
const LEVEL = 0.05;

/**
 * Which of many comparisons are more than chance, so that of all reports in which nothing differs at most one in twenty calls
 * anything different: Holm's step-down method, which holds however the comparisons hang together. Source: S. Holm, Scand. J.
 * Stat. 6 (1979), 65.
 * @param chances of each comparison, 0 to 1
 * @returns for each, in the same order
 */
export function areSignificant(chances: readonly number[]): readonly boolean[] {
  const rising = [...chances.keys()].sort((a, b) => (chances[a] ?? 1) - (chances[b] ?? 1));
  const beyond = chances.map(() => false);
  for (const [rank, place] of rising.entries()) {
    if ((chances[place] ?? 1) > LEVEL / (chances.length - rank)) break;
    beyond[place] = true;
  }
  return beyond;
}
