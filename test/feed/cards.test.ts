import { describe, expect, it } from 'vitest';
import { isDeepEqual } from '../../src/base/is-deep-equal.ts';
import { decideCard } from '../../src/feed/decide-card.ts';
import { mergeProject } from '../../src/feed/merge-project.ts';
import {
  advanceVerdictChecks,
  findNextVerdictCheckTime,
  scheduleVerdictCheck,
} from '../../src/feed/verdict-checks.ts';
import { ProjectKey } from '../../src/ids.ts';
import { casino, newCardOf } from './projects.ts';
import { ann, filterId } from './stored-records.ts';

const one = filterId(1);
const two = filterId(2);
const fresh = newCardOf(casino);
const withheld = (because: 'past' | 'no-match' | 'muted', filters = [one]) => ({
  state: 'suppressed' as const,
  because,
  filters,
});

describe('what a channel does with a project', () => {
  it.each<readonly [string, Partial<Parameters<typeof decideCard>[0]>, object]>([
    ['tells what is new and matches', {}, { state: 'posted', filters: [one], past: false }],
    ['owes it where it may not be told now', { canPostNow: false }, { state: 'deferred' }],
    ['leaves the past', { publishedAt: 99 }, { state: 'suppressed', because: 'past' }],
    [
      'tells the past that was asked for',
      { publishedAt: 99, wantsPast: true },
      { state: 'posted', past: true },
    ],
    ['leaves what no rule wants', { matches: false }, { state: 'suppressed', because: 'no-match' }],
    [
      'leaves a muted country, by whatever name',
      { mutes: [{ kind: 'country', value: 'de', by: ann, at: 0 }] },
      { because: 'muted' },
    ],
    [
      'leaves a muted word, but not a part of one',
      { mutes: [{ kind: 'word', value: 'cas', by: ann, at: 0 }] },
      { state: 'posted' },
    ],
    [
      'adds a later filter to a card',
      { card: { state: 'posted', filters: [two] }, matches: false },
      { state: 'posted', filters: [two, one] },
    ],
    [
      'keeps a card through the same filter',
      { card: { state: 'posted', filters: [one] }, publishedAt: 0 },
      { state: 'posted', filters: [one] },
    ],
    [
      'lets another filter tell what one withheld',
      { card: withheld('no-match', [two]) },
      { state: 'posted', filters: [two, one] },
    ],
    [
      'stays with a decision of the same filter',
      { card: withheld('muted') },
      { state: 'suppressed', because: 'muted' },
    ],
    ['decides anew when a verdict came', { card: withheld('no-match'), changed: true }, { state: 'posted' }],
    [
      'does not tell the past because it changed',
      { card: withheld('past'), changed: true },
      { because: 'past' },
    ],
    [
      'tells the past of a card when it is asked for',
      { card: withheld('past'), publishedAt: 1, wantsPast: true },
      { state: 'posted', past: true },
    ],
  ])('%s', (_, question, decision) => {
    expect(decideCard({ ...fresh, ...question })).toMatchObject(decision);
  });
});

describe('a project that is read again', () => {
  it('keeps what is missing now, and takes what is new', () => {
    const { description: _, ...rest } = casino;
    const bare = { ...rest, description: '', skills: [], client: { rating: 4.9 } };
    const merged = mergeProject(casino, { ...bare, verdict: { reason: 'Fits.', other: {} } });
    expect(merged).toEqual({
      ...casino,
      client: { country: 'Germany', rating: 4.9 },
      verdict: { reason: 'Fits.', other: {} },
    });
    expect(mergeProject(merged, { ...casino, verdict: { other: {} } }).verdict?.reason).toBe('Fits.');
    expect(isDeepEqual(mergeProject(merged, merged), merged)).toBe(true);
  });
});

describe('verdicts that are missing', () => {
  it('are looked for after 1, 3, 10, 30 and 120 minutes, 50 at the most', () => {
    const minute = 60_000;
    let awaiting = scheduleVerdictCheck([], casino.key, 7, 0);
    const looks: number[] = [];
    for (
      let next = findNextVerdictCheckTime(awaiting);
      next !== undefined;
      next = findNextVerdictCheckTime(awaiting)
    ) {
      looks.push(next / minute);
      awaiting = advanceVerdictChecks(awaiting, new Set([casino.key]), undefined, next);
    }
    expect(looks).toEqual([1, 3, 10, 30, 120]);
    for (let each = 0; each < 60; each++) {
      awaiting = scheduleVerdictCheck(awaiting, ProjectKey.parse(`~${each}`), 7, each);
    }
    expect(awaiting).toHaveLength(50);
    expect(awaiting[0]?.project).toBe('~10');
  });
});
