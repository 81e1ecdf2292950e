import { describe, expect, it } from 'vitest';
import { byIntervals, meanWait, playPlan, roundRobin } from '../../bench/feed/play-plan.ts';
import { bestIntervals } from '../../bench/feed/static-plan.ts';

const MINUTE = 60_000;
const wide = { leastMs: 1, mostMs: 1e12 };

function readsOf(intervals: readonly number[]): number {
  return intervals.reduce((sum, interval) => sum + 1 / interval, 0);
}

describe('the best fixed intervals', () => {
  it('go with the square root of the rates and use all reads', () => {
    const intervals = bestIntervals([1e-4, 4e-4, 16e-4], { reads: 1 / 2_000, ...wide });
    expect((intervals[0] ?? 0) / (intervals[1] ?? 1)).toBeCloseTo(2, 6);
    expect((intervals[0] ?? 0) / (intervals[2] ?? 1)).toBeCloseTo(4, 6);
    expect(readsOf(intervals)).toBeCloseTo(1 / 2_000, 9);
  });

  it('keep their bounds, and what is left goes to the others', () => {
    const bounds = { reads: 1 / 2_000, leastMs: 4_500, mostMs: 8_000 };
    const intervals = bestIntervals([1e-7, 4e-4, 16e-4], bounds);
    expect(intervals[0]).toBeCloseTo(8_000, 3);
    expect(intervals[2]).toBeCloseTo(4_500, 3);
    expect(readsOf(intervals)).toBeCloseTo(1 / 2_000, 9);
  });

  it('are alike where there are too few reads for the longest', () => {
    expect(bestIntervals([1e-4, 1e-3], { reads: 1e-6, leastMs: 1, mostMs: MINUTE })).toEqual([2e6, 2e6]);
  });
});

describe('the mean wait', () => {
  const playing = { everyMs: 2_000, until: 600 * MINUTE };

  it('is half a round for round robin', () => {
    const reads = playPlan(5, roundRobin(5), playing);
    expect(meanWait([1, 2, 3, 4, 5], reads, MINUTE)).toBeCloseTo(5_000, 0);
  });

  it('of the best intervals, played, is near what is reckoned and below round robin', () => {
    const rates = [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6, 1 / 7, 1 / 8];
    const intervals = bestIntervals(rates, { reads: 1 / 2_000, ...wide });
    const sum = rates.reduce((total, rate) => total + rate, 0);
    const reckoned =
      rates.reduce((total, rate, filter) => total + rate * (intervals[filter] ?? 0), 0) / 2 / sum;
    const played = meanWait(rates, playPlan(8, byIntervals(intervals), playing), MINUTE);
    const robin = meanWait(rates, playPlan(8, roundRobin(8), playing), MINUTE);
    expect(played).toBeGreaterThan(0.97 * reckoned);
    expect(played).toBeLessThan(1.1 * reckoned);
    expect(played).toBeLessThan(robin);
  });
});
