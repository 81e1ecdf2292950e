import { describe, expect, it } from 'vitest';
import type { RandomSource } from '../../src/clock.ts';
import { type ComparedGroup, compareGroups } from '../../src/statistics/compare.ts';
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
    funnel: draw(random, 5 + Math.floor(random() * 196)),
  }));
}

function group(id: string, sent: number, viewed: number, within = 'template'): ComparedGroup {
  return { id, within, funnel: { sent, viewed, interviewed: 0, hired: 0 } };
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
        funnel: draw(random, 150, { ...RATES, viewed: 0.7 }),
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
