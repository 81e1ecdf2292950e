import { describe, expect, it } from 'vitest';
import { decideCard } from '../../src/feed/match-card.ts';
import { mergeProject, sameValue } from '../../src/feed/merge-project.ts';
import { isWorthTelling, worsen } from '../../src/feed/trouble.ts';
import { afterLooking, awaitVerdict, nextVerdictsAt } from '../../src/feed/verdicts.ts';
import { ProjectKey } from '../../src/ids.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { ann, filterId } from './feed-world.ts';

const project: ListedProject = {
  key: ProjectKey.parse('~1'),
  title: 'A casino in React',
  url: 'https://market.example/~1',
  description: 'Long.',
  skills: ['React'],
  categories: [],
  questions: [],
  client: { country: 'Germany', rating: 4.5 },
};
const one = filterId(1);
const two = filterId(2);
const fresh = {
  project,
  publishedAt: 200,
  filter: one,
  matches: true,
  startsAt: 100,
  wantsPast: false,
  mutes: [],
  mayTell: true,
  changed: false,
};
const withheld = (because: 'past' | 'no-match' | 'muted', filters = [one]) => ({
  state: 'withheld' as const,
  because,
  filters,
});

describe('what a channel does with a project', () => {
  it.each<readonly [string, Partial<Parameters<typeof decideCard>[0]>, object]>([
    ['tells what is new and matches', {}, { state: 'told', filters: [one], past: false }],
    ['owes it where it may not be told now', { mayTell: false }, { state: 'owed' }],
    ['leaves the past', { publishedAt: 99 }, { state: 'withheld', because: 'past' }],
    [
      'tells the past that was asked for',
      { publishedAt: 99, wantsPast: true },
      { state: 'told', past: true },
    ],
    ['leaves what no rule wants', { matches: false }, { state: 'withheld', because: 'no-match' }],
    [
      'leaves a muted country, by whatever name',
      { mutes: [{ kind: 'country', value: 'de', by: ann, at: 0 }] },
      { because: 'muted' },
    ],
    [
      'leaves a muted word, but not a part of one',
      { mutes: [{ kind: 'word', value: 'cas', by: ann, at: 0 }] },
      { state: 'told' },
    ],
    [
      'adds a later filter to a card',
      { card: { state: 'told', filters: [two] }, matches: false },
      { state: 'told', filters: [two, one] },
    ],
    [
      'keeps a card through the same filter',
      { card: { state: 'told', filters: [one] }, publishedAt: 0 },
      { state: 'told', filters: [one] },
    ],
    [
      'lets another filter tell what one withheld',
      { card: withheld('no-match', [two]) },
      { state: 'told', filters: [two, one] },
    ],
    [
      'stays with a decision of the same filter',
      { card: withheld('muted') },
      { state: 'withheld', because: 'muted' },
    ],
    ['decides anew when a verdict came', { card: withheld('no-match'), changed: true }, { state: 'told' }],
    [
      'does not tell the past because it changed',
      { card: withheld('past'), changed: true },
      { because: 'past' },
    ],
    [
      'tells the past of a card when it is asked for',
      { card: withheld('past'), publishedAt: 1, wantsPast: true },
      { state: 'told', past: true },
    ],
  ])('%s', (_, question, decision) => {
    expect(decideCard({ ...fresh, ...question })).toMatchObject(decision);
  });
});

describe('a project that is read again', () => {
  it('keeps what is missing now, and takes what is new', () => {
    const { description: _, ...rest } = project;
    const bare = { ...rest, description: '', skills: [], client: { rating: 4.9 } };
    const merged = mergeProject(project, { ...bare, verdict: { reason: 'Fits.', other: {} } });
    expect(merged).toEqual({
      ...project,
      client: { country: 'Germany', rating: 4.9 },
      verdict: { reason: 'Fits.', other: {} },
    });
    expect(mergeProject(merged, { ...project, verdict: { other: {} } }).verdict?.reason).toBe('Fits.');
    expect(sameValue(mergeProject(merged, merged), merged)).toBe(true);
  });
});

describe('verdicts that are missing', () => {
  it('are looked for after 1, 3, 10, 30 and 120 minutes, 50 at the most', () => {
    const minute = 60_000;
    let awaiting = awaitVerdict([], project.key, 7, 0);
    const looks: number[] = [];
    for (let next = nextVerdictsAt(awaiting); next !== undefined; next = nextVerdictsAt(awaiting)) {
      looks.push(next / minute);
      awaiting = afterLooking(awaiting, new Set([project.key]), undefined, next);
    }
    expect(looks).toEqual([1, 3, 10, 30, 120]);
    for (let each = 0; each < 60; each++) {
      awaiting = awaitVerdict(awaiting, ProjectKey.parse(`~${each}`), 7, each);
    }
    expect(awaiting).toHaveLength(50);
    expect(awaiting[0]?.project).toBe('~10');
  });
});

describe('trouble', () => {
  it('waits longer and longer, up to two minutes; polls that fail together count once', () => {
    let trouble = worsen(undefined, 'server', 0);
    expect(trouble.retryAt).toBe(10_000);
    expect(worsen(trouble, 'server', 10).failures).toBe(1);
    const pauses: number[] = [];
    for (let each = 0; each < 6; each++) {
      const at = trouble.retryAt;
      trouble = worsen(trouble, 'server', at);
      pauses.push((trouble.retryAt - at) / 1_000);
    }
    expect(pauses).toEqual([20, 40, 80, 120, 120, 120]);
    expect(trouble.since).toBe(0);
  });

  it('is told at once when it lasts by its nature, else after three minutes', () => {
    const passing = worsen(undefined, 'network', 0);
    expect(isWorthTelling(passing, 180_000)).toBe(false);
    expect(isWorthTelling(passing, 180_001)).toBe(true);
    const lasting = worsen(passing, 'unauthorised', 60_000);
    expect(lasting).toMatchObject({ since: 60_000, failures: 1, retryAt: 180_000 });
    expect(isWorthTelling(lasting, 60_000)).toBe(true);
  });
});
