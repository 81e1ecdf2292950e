import { expect, it } from 'vitest';
import { findNearestName, findNearestNames } from '../../src/query/words.ts';

const words = ['subscribe', 'unsubscribe', 'list', 'lookup', 'budget'];

it.each([
  ['lokup', 'lookup'],
  ['lits', 'list'],
  ['subs', 'subscribe'],
  ['BUDGTE', 'budget'],
  ['unsubscirbe', 'unsubscribe'],
  ['xyz', undefined],
  ['l', undefined],
  ['', undefined],
  ['x'.repeat(1_000), undefined],
])('%s was meant to be %s', (typed, meant) => {
  expect(findNearestName(typed, words)).toBe(meant);
});

it.each([
  ['a swap of neighbours is one edit, as a letter too many is', 'statsu', ['stats', 'status']],
  ['of what is not equally near, the nearest alone', 'statuss', ['status']],
  ['beginnings', 'sta', ['stats', 'status', 'stable']],
  ['nothing', 'xyz', []],
])('%s: %s', (_what, typed, meant) => {
  expect(findNearestNames(typed, ['list', 'stats', 'status', 'stable', 'static'])).toEqual(meant);
});
