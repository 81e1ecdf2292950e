/** Which runs of bids without an answer are warned of, and how often by chance. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRunLength, findSilentRun, type JudgedBid } from '../../src/proposals/silent-run.ts';
import { seededRandom } from '../seeded-random.ts';

const silent = (count: number, from = 1): JudgedBid[] =>
  Array.from({ length: count }, (_, n) => ({ at: from + count - n, isAnswered: false }));
const answered = (at: number): JudgedBid => ({ at, isAnswered: true });
const HALF = { answered: 500, proposals: 1_000 };

describe('the length of a run', () => {
  it.each([
    [{ answered: 0, proposals: 0 }, 31],
    [{ answered: 500, proposals: 1_000 }, 12],
    [{ answered: 250, proposals: 1_000 }, 25],
    [{ answered: 150, proposals: 1_000 }, 43],
    [{ answered: 10, proposals: 1_000 }, 60],
  ])('of %j is %i', (rate, length) => {
    expect(findRunLength(rate)).toBe(length);
  });
});

describe('a run', () => {
  it('is found at its length, not before, and up to the last answer', () => {
    expect(findSilentRun(silent(11), HALF, undefined)).toBeUndefined();
    expect(findSilentRun(silent(12), HALF, undefined)).toEqual({ bids: 12, from: 2, to: 13 });
    expect(findSilentRun([...silent(12, 50), answered(20), ...silent(30)], HALF, undefined)?.bids).toBe(12);
    expect(findSilentRun([answered(90), ...silent(30)], HALF, undefined)).toBeUndefined();
    expect(findSilentRun([], HALF, undefined)).toBeUndefined();
  });

  it('is warned of again only after an answer in between', () => {
    // The run began at 51. It goes on, and its first bids may be deleted for their age.
    expect(findSilentRun([...silent(20, 50), answered(20)], HALF, 51)).toBeUndefined();
    expect(findSilentRun(silent(40, 50), HALF, 51)).toBeUndefined();
    // One of its bids was answered late, and many were sent since.
    expect(findSilentRun([...silent(12, 70), answered(60), ...silent(5, 50)], HALF, 51)?.bids).toBe(12);
    expect(findSilentRun([...silent(11, 70), answered(60), ...silent(5, 50)], HALF, 51)).toBeUndefined();
  });

  it('of any bids is warned of at most once between two answers', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 200 }), (answers) => {
        const bids: JudgedBid[] = [];
        let warned: number | undefined;
        const warnings: number[] = [];
        for (const [at, isAnswered] of answers.map((each, n) => [n + 1, each && n % 3 === 0] as const)) {
          bids.unshift({ at, isAnswered });
          const run = findSilentRun(bids, HALF, warned);
          if (!run) continue;
          warned = run.from;
          warnings.push(at);
        }
        for (const [n, at] of warnings.entries()) {
          const before = warnings[n - 1];
          if (before === undefined) continue;
          expect(bids.some((bid) => bid.isAnswered && bid.at > before && bid.at < at)).toBe(true);
        }
      }),
    );
  });
});

it.each([
  [0.15, 2],
  [0.25, 2],
  [0.5, 0],
])('by chance alone, 10,000 bids at a rate of %d get few warnings: %d', (rate, most) => {
  const random = seededRandom(5);
  const bids: JudgedBid[] = [];
  let warned: number | undefined;
  let warnings = 0;
  for (let at = 1; at <= 10_000; at++) {
    bids.unshift({ at, isAnswered: random() < rate });
    const run = findSilentRun(bids.slice(0, 240), { answered: rate * 1_000, proposals: 1_000 }, warned);
    if (run) {
      warned = run.from;
      warnings++;
    }
  }
  expect(warnings).toBe(most);
});
