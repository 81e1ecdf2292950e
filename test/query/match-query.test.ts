import { describe, expect, test } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { compileQualifier, type FieldValue, matchesQuery } from '../../src/query/match-query.ts';
import type { ComparisonOperator } from '../../src/query/query.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

function holds(comparison: ComparisonOperator, value: string, field: FieldValue, name = 'x'): boolean {
  return compileQualifier({ kind: 'qualifier', name, comparison, value, negated: false }, NOW)(field);
}

describe('a number is compared', () => {
  test.each([
    ['=', '3', 3],
    ['=', '0.3', 0.1 + 0.2],
    ['>', '3', 4],
    ['>=', '3', 3],
    ['<', '3', 2],
    ['<=', '3', 3],
    ['=', '3..5', 3],
    ['=', '3..5', 5],
  ] as const)('%s%s holds for %d', (comparison, value, field) => {
    expect(holds(comparison, value, field)).toBe(true);
  });

  test.each([
    ['=', '3', 4],
    ['=', '3', 2],
    ['>', '3', 3],
    ['>=', '3', 2],
    ['<', '3', 3],
    ['<=', '3', 4],
    ['=', '3..5', 2],
    ['=', '3..5', 6],
    ['=', '3..x', 4],
    ['=', 'x..5', 4],
    ['=', 'x', 4],
  ] as const)('%s%s does not hold for %d', (comparison, value, field) => {
    expect(holds(comparison, value, field)).toBe(false);
  });
});

test('a date is a day: its first moment is in it, the next day’s first is behind it', () => {
  const day = Date.UTC(2026, 10, 10);
  const moments = [day - 1, day, day + DAY - 1, day + DAY];
  const held = (comparison: ComparisonOperator, name?: string) =>
    moments.map((at) => holds(comparison, '2026-11-10', at, name));
  expect(held('=')).toEqual([false, true, true, false]);
  expect(held('>')).toEqual([false, false, false, true]);
  expect(held('>=')).toEqual([false, true, true, true]);
  expect(held('<')).toEqual([true, false, false, false]);
  expect(held('<=')).toEqual([true, true, true, false]);
  expect(held('=', 'after')).toEqual(held('>='));
  expect(held('=', 'before')).toEqual(held('<'));
  expect(holds('=', '1d', NOW - DAY)).toBe(true);
  expect(holds('=', '1d', NOW)).toBe(false);
});

test('yes and no, words and lists are equal or not, and never more or less', () => {
  expect(holds('=', 'yes', true)).toBe(true);
  expect(holds('=', 'yes', false)).toBe(false);
  expect(holds('=', 'no', false)).toBe(true);
  expect(holds('=', 'Café,Bar', 'cafe')).toBe(true);
  expect(holds('=', 'Café,Bar', 'bars')).toBe(false);
  expect(holds('=', 'viewed,hired', ['viewed'])).toBe(true);
  expect(holds('=', 'hired', ['viewed'])).toBe(false);
  expect(holds('=', 'hired', [])).toBe(false);
  for (const field of [true, 'yes', ['yes'], { name: 'yes' }]) expect(holds('>', 'yes', field)).toBe(false);
});

describe('what has a name and an id', () => {
  const template = { id: 501, name: 'Short letter – React' };

  test.each(['501', 'react', 'short letter', 'lett*', '7,react', '*', 'vue,501'])(
    'is meant by %s',
    (value) => {
      expect(holds('=', value, template)).toBe(true);
    },
  );

  test.each(['50', '50*', '5010', 'lett', 'vue', '501 react'])('is not meant by %s', (value) => {
    expect(holds('=', value, template)).toBe(false);
  });

  test('may lack either, and is then meant by the other', () => {
    expect(holds('=', '501', { id: 501 })).toBe(true);
    expect(holds('=', 'undefined', { name: 'React' })).toBe(false);
    expect(holds('=', 'undefined', { id: 501 })).toBe(false);
    expect(holds('=', 'react', { name: 'React' })).toBe(true);
    expect(holds('=', 'occ-1', { id: 'Occ-1' })).toBe(true);
    expect(holds('=', '*', {})).toBe(true);
    expect(holds('=', 'x', {})).toBe(false);
  });

  test('is told the same again, of the next thing with that name', () => {
    const means = compileQualifier(
      { kind: 'qualifier', name: 'x', comparison: '=', value: 'react', negated: false },
      NOW,
    );
    const named = (name: string) => means({ name });
    expect([named('React'), named('Vue'), named('React'), named('Vue')]).toEqual([true, false, true, false]);
  });
});

test('all terms have to hold, those excluded not, and what is not known only where it is excluded', () => {
  const subject = { text: 'A React site', fieldValue: () => undefined };
  const word = (text: string, negated = false) => ({ kind: 'word' as const, text, negated });
  expect(matchesQuery({ terms: [] }, subject)).toBe(true);
  expect(matchesQuery({ terms: [word('react'), word('site')] }, subject)).toBe(true);
  expect(matchesQuery({ terms: [word('react'), word('vue')] }, subject)).toBe(false);
  expect(matchesQuery({ terms: [word('react'), word('vue', true)] }, subject)).toBe(true);
  const unknown = { kind: 'qualifier' as const, name: 'after', comparison: '=' as const, value: '1d' };
  expect(matchesQuery({ terms: [{ ...unknown, negated: false }] }, subject)).toBe(false);
  expect(matchesQuery({ terms: [{ ...unknown, negated: true }] }, subject)).toBe(true);
});

test('the text of a subject is read once for any number of queries', () => {
  let reads = 0;
  const subject = {
    get text() {
      reads++;
      return 'Réact site';
    },
    fieldValue: () => undefined,
  };
  const query = (text: string) => ({ terms: [{ kind: 'word', text, negated: false } as const] });
  expect(['react', 'vue', 'site'].filter((word) => matchesQuery(query(word), subject))).toEqual([
    'react',
    'site',
  ]);
  expect(reads).toBe(1);
});
