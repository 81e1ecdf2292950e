import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { isInvitationAnswered } from '../../src/digests/gather-bids.ts';
import { listSetupsNearDailyLimit } from '../../src/digests/gather-facts.ts';
import type { PostedProject } from '../../src/digests/gather-posted-content.ts';
import {
  type RankingCandidate,
  rankProjects,
  summarizePostedProjects,
} from '../../src/digests/rank-projects.ts';
import { assessFit } from '../../src/feed/fit.ts';
import { ProjectKey, SetupId, UserId } from '../../src/ids.ts';
import type { BiddingSetup, ListedProject } from '../../src/marketplace/schema.ts';
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

describe('what was posted', () => {
  const PERSON = { by: UserId.parse('U1'), at: NOW };

  function posted(name: string, change: Partial<PostedProject['card']> = {}, isBidOn = false): PostedProject {
    const { project, foundAt } = plain(name, { client: { rating: 5, reviews: 40 } });
    return {
      project,
      isBidOn,
      card: { filters: [], foundAt, ...change } as unknown as PostedProject['card'],
    };
  }

  it('is counted; what nobody took on is listed, and what nobody skipped is ranked', () => {
    const skip = { ...PERSON, reason: 'client' } as const;
    const all = [
      posted('claimed', { claim: PERSON }),
      posted('skipped', { skip }),
      posted('bid on', {}, true),
    ];
    const { told, best, unclaimed, unclaimedList } = summarizePostedProjects([...all, posted('left')]);
    expect([told, unclaimed, unclaimedList.map(({ title }) => title)]).toEqual([4, 1, ['left']]);
    expect(best.map(({ title }) => title).toSorted()).toEqual(['bid on', 'claimed', 'left']);
  });

  it('is listed as far as somebody reads, and counted beyond', () => {
    const many = Array.from({ length: 450 }, (_, n) => posted(`no. ${n}`));
    const { told, best, unclaimed, unclaimedList } = summarizePostedProjects(many);
    expect([told, best.length, unclaimed, unclaimedList.length]).toEqual([450, 5, 450, 120]);
  });
});

it.each([
  ['Pending', false],
  ['Invited to interview', false],
  ['Unanswered', false],
  [undefined, false],
  ['Accepted', true],
  ['DECLINED', true],
  ['Expired', true],
  ['Invitation withdrawn', true],
])('an invitation whose status is %s is answered: %s', (status, expected) => {
  expect(isInvitationAnswered(status)).toBe(expected);
});

it('setups are near their limit from four fifths of their day on, the nearest first', () => {
  const setup = (id: number, sentToday?: number, dailyLimit?: number) =>
    ({ id: SetupId.parse(id), name: `Setup ${id}`, sentToday, dailyLimit }) as BiddingSetup;
  const all = [setup(1, 15, 20), setup(2, 16, 20), setup(3, 20, 20), setup(4, 5), setup(5, 0, 0), setup(6)];
  expect(listSetupsNearDailyLimit(all).map(({ id }) => id)).toEqual([3, 2]);
});
