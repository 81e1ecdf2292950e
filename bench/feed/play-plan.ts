/** Simulates fixed plans: one read at a time, evenly spaced. Pure. */

/** Chooses the filter to read at `at`, given each filter's last read. Times in ms from the beginning. */
export type FixedPlan = (at: number, lastAt: readonly number[]) => number;

/** Read times, filter by filter, with one read every `everyMs` over the whole run. */
export function playPlan(
  filters: number,
  plan: FixedPlan,
  { everyMs, until }: { readonly everyMs: number; readonly until: number },
): readonly (readonly number[])[] {
  const reads = Array.from({ length: filters }, (): number[] => []);
  const lastAt = reads.map(() => 0);
  for (let at = everyMs; at <= until; at += everyMs) {
    const filter = plan(at, lastAt);
    reads[filter]?.push(at);
    lastAt[filter] = at;
  }
  return reads;
}

export function roundRobin(filters: number): FixedPlan {
  let turn = 0;
  return () => turn++ % filters;
}

/** The filter furthest into its interval; the overdue ones first. */
export function byIntervals(intervals: readonly number[]): FixedPlan {
  return (at, lastAt) => {
    let best = 0;
    let most = -1;
    for (const [filter, interval] of intervals.entries()) {
      const part = (at - (lastAt[filter] ?? 0)) / interval;
      if (part > most) [best, most] = [filter, part];
    }
    return best;
  };
}

/** Earliest deadline first, with deadlines one interval apart: closer to the intervals in the long run. */
export function byDates(intervals: readonly number[]): FixedPlan {
  const dates = intervals.map((interval, filter) => (interval * (filter + 1)) / intervals.length);
  return () => {
    let best = 0;
    for (const [filter, date] of dates.entries()) if (date < (dates[best] ?? 0)) best = filter;
    dates[best] = (dates[best] ?? 0) + (intervals[best] ?? 0);
    return best;
  };
}

/**
 * Mean wait of a project for the next read of its filter, in ms, if it may arrive at any moment after `from`.
 * It is the limit of the mean over many projects, without the randomness of arrivals.
 * @param rates projects per millisecond, filter by filter
 */
export function meanWait(
  rates: readonly number[],
  reads: readonly (readonly number[])[],
  from: number,
): number {
  let [wait, weight] = [0, 0];
  for (const [filter, rate] of rates.entries()) {
    let since = from;
    let sum = 0;
    for (const at of reads[filter] ?? []) {
      if (at <= from) continue;
      sum += (at - since) ** 2 / 2;
      since = at;
    }
    if (since === from) continue;
    wait += (rate * sum) / (since - from);
    weight += rate;
  }
  return wait / weight;
}
