/** A subscription's rules, as they are stored and applied, and the filters that a card names. */
import { describe, expect, it } from 'vitest';
import {
  addPassedFilter,
  decideCard,
  doRulesUseVerdict,
  isProjectMuted,
  matchesRules,
  parseRules,
  resolveMentions,
} from '../../src/feed/decide-card.ts';
import { shouldCheckForVerdicts } from '../../src/feed/verdict-checks.ts';
import { MAX_QUERY_LENGTH } from '../../src/query/parse-query.ts';
import { bareProject, newCardOf } from './projects.ts';
import { ann, filterId } from './stored-records.ts';

const project = bareProject({ title: 'A shop in React', client: { verified: true } });
const one = filterId(1);
const two = filterId(2);

describe('rules', () => {
  it('are stored as their parsed query prints', () => {
    expect(parseRules(' Verified:y   “react  shop” ')).toEqual({
      kind: 'rules',
      printed: 'verified:yes "react shop"',
    });
    expect(parseRules('')).toEqual({ kind: 'rules', printed: '' });
  });

  it('that contain an error are refused, with its position', () => {
    expect(parseRules('react colour:red')).toMatchObject({ kind: 'mistake', at: 6 });
  });

  // `verified:y` is stored as `verified:yes`, two characters longer.
  const verifiedAnd = (length: number) => `verified:y ${'a'.repeat(length - 'verified:y '.length)}`;

  it('may be as long as a query once they are stored', () => {
    const rules = parseRules(verifiedAnd(MAX_QUERY_LENGTH - 2));
    expect(rules.kind === 'rules' && rules.printed).toHaveLength(MAX_QUERY_LENGTH);
  });

  it.each([1, 2])('that would be stored with %i characters too many are refused at their end', (excess) => {
    const length = MAX_QUERY_LENGTH - 2 + excess;
    expect(parseRules(verifiedAnd(length))).toMatchObject({
      kind: 'mistake',
      at: length - excess,
      length: excess,
      message: expect.stringMatching(new RegExp(`\\b50${excess}\\b.*\\b500\\b`)),
    });
  });

  it('let matching projects through, and all if they are empty or unreadable', () => {
    for (const rules of ['', 'react', 'react verified:yes', 'colour:red', '"react'])
      expect(matchesRules(rules, project), rules).toBe(true);
    for (const rules of ['vue', 'verified:no', 'react vue', '-react'])
      expect(matchesRules(rules, project), rules).toBe(false);
  });

  it('need a verdict only if one of their qualifiers asks for it', () => {
    for (const rules of ['qualified:yes', 'react qualified:no', '-qualified:yes verified:yes'])
      expect(doRulesUseVerdict(rules), rules).toBe(true);
    for (const rules of ['', 'react', 'qualified', 'verified:yes', 'qualified:maybe', 'colour:red'])
      expect(doRulesUseVerdict(rules), rules).toBe(false);
  });
});

describe('late verdicts', () => {
  const withRules = (...rules: readonly string[]) => rules.map((each) => ({ rules: each }));

  it('are checked for if the filter has shown one, or one of its followers needs them', () => {
    expect(shouldCheckForVerdicts({ showsVerdicts: true }, [])).toBe(true);
    expect(shouldCheckForVerdicts({ showsVerdicts: true }, withRules('react'))).toBe(true);
    expect(shouldCheckForVerdicts({}, withRules('react', 'qualified:yes'))).toBe(true);
    expect(shouldCheckForVerdicts({ showsVerdicts: false }, withRules('react', ''))).toBe(false);
    expect(shouldCheckForVerdicts({}, [])).toBe(false);
  });

  it('are given up after 100 projects in a row without one', () => {
    for (const state of [{ showsVerdicts: true }, {}]) {
      const check = (withoutVerdict: number) =>
        shouldCheckForVerdicts({ ...state, withoutVerdict }, withRules('qualified:yes'));
      expect(check(99)).toBe(true);
      expect(check(100)).toBe(false);
      expect(check(101)).toBe(false);
    }
    expect(shouldCheckForVerdicts({ withoutVerdict: 0 }, withRules('react'))).toBe(false);
  });
});

describe('a card names', () => {
  const posted = { matches: true, state: 'posted' as const };

  it('each filter whose rules its project passed, once, in the order they found it', () => {
    expect(addPassedFilter(undefined, one, posted)).toEqual([one]);
    expect(addPassedFilter(undefined, one, { matches: true, state: 'deferred' })).toEqual([one]);
    const card = { state: 'posted' as const, passed: [two] };
    expect(addPassedFilter(card, one, posted)).toEqual([two, one]);
    expect(addPassedFilter(card, two, posted)).toEqual([two]);
  });

  it('no filter whose rules its project failed', () => {
    const card = { state: 'posted' as const, passed: [two] };
    expect(addPassedFilter(card, one, { ...posted, matches: false })).toEqual([two]);
    expect(addPassedFilter(undefined, one, { ...posted, matches: false })).toEqual([]);
  });

  it('only the filter that got it posted, if it was suppressed before', () => {
    expect(addPassedFilter({ state: 'suppressed' }, one, posted)).toEqual([one]);
  });

  it('none while it is suppressed, or if it is too old to know', () => {
    expect(addPassedFilter(undefined, one, { matches: true, state: 'suppressed' })).toBeUndefined();
    expect(addPassedFilter({ state: 'posted' }, one, posted)).toBeUndefined();
    expect(addPassedFilter({ state: 'deferred' }, one, posted)).toBeUndefined();
  });
});

describe('a new card', () => {
  it('is posted because of the filter that found it, and of no other', () => {
    expect(decideCard({ ...newCardOf(project), publishedAt: 100, startsAt: 100, changed: true })).toEqual({
      state: 'posted',
      filters: [one],
      past: false,
    });
  });

  it('mentions everyone of a rule without conditions, and no one of a rule that does not match', () => {
    const rule = (rules: string) => ({ rules, users: [ann], groups: [] });
    expect(resolveMentions([rule('')], project)).toEqual({ users: [ann], groups: [] });
    expect(resolveMentions([rule('-react')], project)).toBeUndefined();
  });

  it('of a client without a country is not muted by any country', () => {
    for (const value of ['US', 'Germany', 'undefined'])
      expect(isProjectMuted(project, [{ kind: 'country', value }]), value).toBe(false);
  });
});
