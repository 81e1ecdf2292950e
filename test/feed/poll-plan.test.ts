import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choosePoll,
  computeMaxPollWaitMs,
  NEW_FILTER_ARRIVAL_RATE,
  type PollCandidate,
  updateArrivalRate,
} from '../../src/feed/poll-plan.ts';
import { computeLateCheckIntervalMs } from '../../src/feed/read-filter.ts';
import { filterId } from './stored-records.ts';

const now = 10_000_000;
const candidate = (
  id: number,
  rate: number,
  agoSeconds: number,
  more: Partial<PollCandidate> = {},
): PollCandidate => ({
  filter: filterId(id),
  rate,
  lastTopAt: now - agoSeconds * 1_000,
  ...more,
});

describe('which filter is read next', () => {
  it.each<readonly [string, readonly PollCandidate[], { filter: number; work: string } | undefined]>([
    [
      'the livelier of two that wait alike',
      [candidate(1, 0.01, 60), candidate(2, 0.05, 60)],
      { filter: 2, work: 'top' },
    ],
    [
      'the one that waits longer',
      [candidate(1, 0.01, 60), candidate(2, 0.01, 90)],
      { filter: 2, work: 'top' },
    ],
    [
      'one never read before any other',
      [candidate(1, 5, 900), { filter: filterId(2), rate: 0.001 }],
      { filter: 2, work: 'top' },
    ],
    ['none within ten seconds of its last time', [candidate(1, 5, 9)], undefined],
    [
      'one that waits for half an hour first',
      [candidate(1, 5, 600), candidate(2, 0.00001, 29 * 60)],
      { filter: 2, work: 'top' },
    ],
    [
      'older projects that wait, too',
      [candidate(1, 0.01, 9, { olderSince: now - 5_000 })],
      { filter: 1, work: 'older' },
    ],
    [
      'fresh ones where many are expected',
      [candidate(1, 1, 30, { olderSince: now - 30_000 })],
      { filter: 1, work: 'top' },
    ],
    [
      'a verdict that is due',
      [candidate(1, 0.000001, 11, { verdictsDueAt: now - 1 })],
      { filter: 1, work: 'verdicts' },
    ],
    [
      'no verdict, and no backfill from its beginning, within ten seconds of the last read',
      [
        candidate(1, 0.0001, 60, { lastReadAt: now - 9_999, verdictsDueAt: now - 60_000 }),
        candidate(2, 0.0001, 9, { olderSince: now - 60_000, olderBegins: true }),
      ],
      undefined,
    ],
    [
      'no older page where it would put off newest ones that are worth more',
      [candidate(1, 1, 30, { lastReadAt: now - 2_000, olderSince: now - 30_000 })],
      undefined,
    ],
    ['no filter in trouble before its time', [candidate(1, 5, 900, { notBefore: now + 1 })], undefined],
  ])('%s', (_, candidates, choice) => {
    expect(choosePoll(candidates, now).choice).toEqual(choice);
  });

  it('leaves half the reads to lively filters if there are too few for all within half an hour', () => {
    expect(computeMaxPollWaitMs(20, 4)).toBe(29 * 60_000);
    expect(computeMaxPollWaitMs(58, 4)).toBe(29 * 60_000);
    expect(computeMaxPollWaitMs(100, 4)).toBe(50 * 60_000);
    const quiet = [candidate(1, 5, 600), candidate(2, 0.00001, 49 * 60)];
    expect(choosePoll(quiet, now, computeMaxPollWaitMs(100, 4)).choice?.filter).toBe(1);
    expect(choosePoll(quiet, now + 60_000, computeMaxPollWaitMs(100, 4)).choice?.filter).toBe(2);
  });

  it('checks for late projects hourly, but with no more than 1% of the reads', () => {
    const perDay = (projects: number) => projects / 86_400;
    const hours = (...[rate, filters, reads]: [number, number, number]) =>
      computeLateCheckIntervalMs(rate, filters, reads) / 3_600_000;
    expect(hours(perDay(50), 5, 24)).toBe(1);
    // 20 requests for all filters at once, of 2,000 in that time.
    expect(hours(perDay(50), 20, 24) * 60).toBeCloseTo(2_000 / 24);
    expect(hours(perDay(150), 20, 4)).toBeCloseTo(4_000 / 240);
    expect(hours(perDay(100_000), 20, 24)).toBeCloseTo(10_000 / 1_440);
  });

  it('is not kept waiting by a time that the clock showed when it was wrong', () => {
    expect(choosePoll([candidate(1, 1, -1_000_000)], now).choice).toEqual({ filter: 1, work: 'top' });
  });

  it('says when something falls due', () => {
    expect(choosePoll([candidate(1, 1, 4), candidate(2, 1, 7)], now)).toEqual({ lookAgainAt: now + 3_000 });
    expect(choosePoll([], now)).toEqual({});
  });

  it('never chooses what may not be read yet', () => {
    const any = fc.record({
      id: fc.integer({ min: 1, max: 30 }),
      rate: fc.double({ min: 0, max: 10, noNaN: true }),
      ago: fc.integer({ min: 0, max: 4_000 }),
      notBefore: fc.integer({ min: now - 50, max: now + 50 }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (many) => {
        const candidates = many.map((each) =>
          candidate(each.id, each.rate, each.ago, { notBefore: each.notBefore }),
        );
        const allowed = candidates.filter(
          (each) => (each.lastTopAt ?? 0) <= now - 10_000 && (each.notBefore ?? 0) <= now,
        );
        const { choice, lookAgainAt } = choosePoll(candidates, now);
        expect(choice === undefined).toBe(allowed.length === 0);
        if (choice) expect(allowed.some((each) => each.filter === choice.filter)).toBe(true);
        if (lookAgainAt !== undefined) expect(lookAgainAt).toBeGreaterThan(now);
      }),
    );
  });
});

describe('the learned rate', () => {
  it('comes near the true one, and follows when that changes', () => {
    let rate = NEW_FILTER_ARRIVAL_RATE;
    for (let poll = 0; poll < 200; poll++) rate = updateArrivalRate(rate, 2, 60);
    expect(rate.perSecond).toBeCloseTo(2 / 60, 2);
    for (let poll = 0; poll < 2_000; poll++) rate = updateArrivalRate(rate, 0, 60);
    expect(rate.perSecond).toBeLessThan(0.001);
  });
});

/** A seeded generator, so that the arrivals are the same every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

interface Arrivals {
  readonly filter: number;
  readonly at: number;
}

function zipfArrivals(filters: number, perSecond: number, seconds: number): Arrivals[] {
  const random = seeded(42);
  const weights = Array.from({ length: filters }, (_, place) => 1 / (place + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.flatMap((weight, filter) => {
    const rate = (perSecond * weight) / sum;
    const arrivals: Arrivals[] = [];
    for (let at = 0; ; ) {
      at += -Math.log(1 - random()) / rate;
      if (at > seconds) return arrivals;
      arrivals.push({ filter, at });
    }
  });
}

/**
 * Mean delay from arrival to the poll that finds it, one poll every two seconds, after an hour of learning.
 */
function meanDelay(
  filters: number,
  arrivals: readonly Arrivals[],
  seconds: number,
  plan: 'index' | 'robin',
): number {
  const waiting = Array.from({ length: filters }, (_, filter) =>
    arrivals
      .filter((each) => each.filter === filter)
      .map((each) => each.at)
      .sort((a, b) => a - b),
  );
  const lastAt = Array.from({ length: filters }, () => 0);
  const rates = Array.from({ length: filters }, () => NEW_FILTER_ARRIVAL_RATE);
  let [delay, count, turn] = [0, 0, 0];
  for (let at = 2; at < seconds; at += 2) {
    const candidates = lastAt.map((last, filter) => ({
      filter: filterId(filter + 1),
      rate: rates[filter]?.perSecond ?? 0,
      lastTopAt: last * 1_000,
    }));
    const chosen =
      plan === 'robin' ? turn++ % filters : (choosePoll(candidates, at * 1_000).choice?.filter ?? 0) - 1;
    const queue = waiting[chosen];
    if (!queue) continue;
    const found = queue.filter((each) => each <= at);
    queue.splice(0, found.length);
    rates[chosen] = updateArrivalRate(
      rates[chosen] ?? NEW_FILTER_ARRIVAL_RATE,
      found.length,
      at - (lastAt[chosen] ?? 0),
    );
    lastAt[chosen] = at;
    if (at < 3_600) continue;
    for (const each of found) delay += at - each;
    count += found.length;
  }
  return delay / count;
}

describe('mean delay of new projects', () => {
  it('is clearly below that of round robin, with rates learned on the way', () => {
    const seconds = 6 * 3_600;
    const arrivals = zipfArrivals(20, 0.2, seconds);
    const index = meanDelay(20, arrivals, seconds, 'index');
    const robin = meanDelay(20, arrivals, seconds, 'robin');
    expect(index / robin).toBeLessThanOrEqual(0.82);
  });
});
