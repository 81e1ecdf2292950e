import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { type RankingCandidate, rankProjects } from '../../src/digests/rank-projects.ts';
import { assessFit } from '../../src/feed/fit.ts';
import { ProjectKey } from '../../src/ids.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { listed, NOW } from '../slack/samples.ts';

/** A project without any positive signal, in as many of the channel's filters. */
function plain(name: string, change: Partial<ListedProject> = {}, filters = 1): RankingCandidate {
  const { budget: _, ...rest } = listed({
    key: ProjectKey.parse(`~${name}`),
    title: name,
    client: {},
    publishedAt: NOW - DAY,
    ...change,
  });
  const project = change.budget ? { ...rest, budget: change.budget } : rest;
  return { project, fit: assessFit({ project, filters, isMentioned: false }), foundAt: NOW - DAY };
}

const names = (ranked: readonly RankingCandidate[], most = 5) =>
  rankProjects(ranked, most).map(({ title }) => title);

describe('the best projects', () => {
  it('come with their budget, their fit and its reasons, the AI verdict in its own words', () => {
    const project = plain('all', {
      verdict: { decision: 'qualified', reason: 'Fits the portfolio', other: {} },
      client: { rating: 4.9, reviews: 32 },
      budget: { type: 'Fixed', amount: '$1,500' },
    });
    const [best] = rankProjects([project], 5);
    expect(best?.reasons).toEqual([
      { why: 'verdict', decision: 'qualified', reason: 'Fits the portfolio' },
      { why: 'rating', rating: 4.9, reviews: 32 },
    ]);
    expect(best).toMatchObject({ points: project.fit.points, budget: { amount: '$1,500' } });
  });

  it('begin with the best fit, then with the newest', () => {
    const ranked = [
      plain('older', { client: { verified: true } }),
      plain('fresh', { client: { verified: true }, publishedAt: NOW - 10 * MINUTE }),
      plain('spender', { client: { totalSpent: 50_000, rating: 5, reviews: 80 } }),
      plain('qualified', { verdict: { decision: 'qualified', other: {} } }),
    ];
    expect(names(ranked)).toEqual(['qualified', 'spender', 'fresh', 'older']);
  });

  it('are none that the AI turned down, nor any for which nothing speaks', () => {
    const ranked = [
      plain('nothing'),
      plain('rejected', {
        verdict: { decision: 'disqualified', other: {} },
        client: { rating: 5, reviews: 9 },
      }),
      plain('praised by one', { client: { rating: 5, reviews: 1 } }),
    ];
    expect(names(ranked)).toEqual([]);
  });

  it('are five at the most, and the same in whatever order they came', () => {
    const anyProject = fc.record({
      rating: fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: undefined }),
      totalSpent: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined }),
      verified: fc.option(fc.boolean(), { nil: undefined }),
      age: fc.integer({ min: -5, max: 1_440 }),
    });
    fc.assert(
      fc.property(fc.array(anyProject, { maxLength: 30 }), fc.integer(), (all, seed) => {
        const ranked = all.map(({ age, ...client }, place) =>
          plain(`p${place}`, {
            client: { ...client },
            publishedAt: NOW - age * MINUTE,
          } as Partial<ListedProject>),
        );
        const mixed = ranked.toSorted(
          (a, b) => ((a.project.key.length * 31 + seed) % 7) - ((b.project.key.length * 17 + seed) % 5),
        );
        expect(names(mixed.toReversed())).toEqual(names(ranked));
        expect(names(ranked).length).toBeLessThanOrEqual(5);
        for (const best of rankProjects(ranked, 5)) expect(best.reasons.length).toBeGreaterThan(0);
      }),
    );
  });
});
