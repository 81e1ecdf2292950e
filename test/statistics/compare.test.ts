import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RandomSource } from '../../src/clock.ts';
import {
  areComparisonsSignificant,
  type ComparedGroup,
  calculatePValue,
  compareGroups,
} from '../../src/statistics/compare.ts';
import { seededRandom } from '../seeded-random.ts';

const RATES = { viewed: 0.4, interviewed: 0.3, hired: 0.3 };
const rest = async () => {};

/**
 * `count` proposals, each viewed, interviewed and hired with these probabilities, each relative to the
 * previous stage.
 */
function draw(random: RandomSource, sent: number, rates: typeof RATES = RATES) {
  const funnel = { sent, viewed: 0, interviewed: 0, hired: 0 };
  for (let n = 0; n < sent; n++) {
    if (random() >= rates.viewed) continue;
    funnel.viewed++;
    if (random() >= rates.interviewed) continue;
    funnel.interviewed++;
    if (random() < rates.hired) funnel.hired++;
  }
  return funnel;
}

/** Groups of 5 to 200 proposals in two kinds. */
function groupsOf(random: RandomSource, count: number): ComparedGroup[] {
  return Array.from({ length: count }, (_, n) => ({
    id: String(n),
    within: n % 2 === 0 ? 'template' : 'profile',
    stages: draw(random, 5 + Math.floor(random() * 196)),
  }));
}

function group(id: string, sent: number, viewed: number, within = 'template'): ComparedGroup {
  return { id, within, stages: { sent, viewed, interviewed: 0, hired: 0 } };
}

async function viewedStandings(groups: readonly ComparedGroup[]) {
  const { standings } = await compareGroups(groups, rest);
  return groups.map(({ id }) => standings.get(id)?.viewed);
}

describe('groups that differ by chance alone', () => {
  it('are called different in at most one of twenty reports', async () => {
    const random = seededRandom(6);
    let wrong = 0;
    const reports = 400;
    for (let n = 0; n < reports; n++) {
      const { surest } = await compareGroups(groupsOf(random, 12), rest);
      if (surest !== undefined) wrong++;
    }
    expect(wrong).toBeLessThanOrEqual(reports / 20);
    // Too careful is wrong as well: the test does detect real differences.
    expect(wrong).toBeGreaterThan(0);
  });
});

describe('a group that is better', () => {
  it('is found nearly always where samples are large enough, and named as the surest', async () => {
    const random = seededRandom(7);
    let found = 0;
    for (let n = 0; n < 50; n++) {
      const better = {
        id: 'better',
        within: 'template',
        stages: draw(random, 150, { ...RATES, viewed: 0.7 }),
      };
      const { surest, standings } = await compareGroups([...groupsOf(random, 6), better], rest);
      if (surest === 'better' && standings.get('better')?.viewed === 'more') found++;
    }
    expect(found).toBeGreaterThan(45);
  });

  it('is compared with the others, and its only rival is the worse for it', async () => {
    expect(await viewedStandings([group('a', 100, 80), group('b', 100, 20)])).toEqual(['more', 'less']);
  });
});

describe('small samples', () => {
  it('are neither compared nor ranked, however unlike the others', async () => {
    expect(await viewedStandings([group('a', 9, 9), group('b', 200, 10), group('c', 200, 10)])).toEqual([
      'too-few',
      'may-be-chance',
      'may-be-chance',
    ]);
  });

  it('leave a large group without others to compare it with', async () => {
    expect(await viewedStandings([group('a', 9, 0), group('b', 200, 150)])).toEqual([
      'too-few',
      'few-others',
    ]);
    expect(await viewedStandings([group('a', 200, 150)])).toEqual(['few-others']);
  });

  it('of another kind change nothing', async () => {
    const alone = [group('a', 100, 80)];
    expect(await viewedStandings([...alone, group('b', 100, 20, 'profile')])).toEqual([
      'few-others',
      'few-others',
    ]);
  });
});

/** Every table with the same margins, by the factorials of the test's definition. */
function chanceByFactorials(one: { count: number; of: number }, other: { count: number; of: number }) {
  const choose = (n: number, k: number): number => (k <= 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
  const successes = one.count + other.count;
  const tables = Array.from({ length: one.of + 1 }, (_, count) => count).filter(
    (count) => successes - count >= 0 && successes - count <= other.of,
  );
  const likelihood = (count: number) => choose(one.of, count) * choose(other.of, successes - count);
  const met = likelihood(one.count) * (1 + 1e-7);
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + likelihood(count), 0);
  return sum(tables.filter((count) => likelihood(count) <= met)) / sum(tables);
}

const share = fc
  .integer({ min: 1, max: 40 })
  .chain((of) => fc.record({ of: fc.constant(of), count: fc.integer({ min: 0, max: of }) }));

describe('the chance of a difference', () => {
  it('of Fisher’s tea, 3 of 4 against 1 of 4, is 34 in 70', () => {
    // Tables by correct ones among the first four: 1, 16, 36, 16, 1 of 70. Those at most as likely as 16:
    // 1 + 16 + 16 + 1.
    expect(calculatePValue({ count: 3, of: 4 }, { count: 1, of: 4 })).toBeCloseTo(34 / 70, 12);
  });

  it('of 1 of 10 against 11 of 14 is 0.0028, as published', () => {
    // The example of the article "Fisher's exact test".
    // R: fisher.test(matrix(c(1, 9, 11, 3), 2)), p-value = 0.002759.
    expect(calculatePValue({ count: 1, of: 10 }, { count: 11, of: 14 })).toBeCloseTo(0.002759, 6);
  });

  it('is that of all tables no likelier, added up', () => {
    fc.assert(
      fc.property(share, share, (one, other) => {
        expect(calculatePValue(one, other)).toBeCloseTo(chanceByFactorials(one, other), 9);
      }),
    );
  });

  it('is the same seen from either side', () => {
    fc.assert(
      fc.property(share, share, (one, other) => {
        expect(calculatePValue(one, other)).toBeCloseTo(calculatePValue(other, one), 9);
      }),
    );
  });

  it('is 1 where nothing can differ', () => {
    expect(calculatePValue({ count: 0, of: 10 }, { count: 0, of: 90 })).toBe(1);
    expect(calculatePValue({ count: 10, of: 10 }, { count: 90, of: 90 })).toBe(1);
  });

  it('is none to speak of for a clear difference among many', () => {
    expect(calculatePValue({ count: 9_000, of: 10_000 }, { count: 4_000, of: 40_000 })).toBeLessThan(1e-15);
  });
});

describe('of many comparisons', () => {
  it('each must be the less likely the more there are: Holm’s steps of 0.05', () => {
    // 0.05 / 4 = 0.0125, 0.05 / 3 = 0.0167, 0.05 / 2 = 0.025: 0.01 and 0.013 are below their steps,
    // 0.03 is above its step.
    expect(areComparisonsSignificant([0.013, 0.04, 0.01, 0.03])).toEqual([true, false, true, false]);
    expect(areComparisonsSignificant([0.013, 0.013, 0.013, 0.013])).toEqual([false, false, false, false]);
    expect(areComparisonsSignificant([0.05])).toEqual([true]);
    expect(areComparisonsSignificant([])).toEqual([]);
  });
});
