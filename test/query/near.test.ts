import { expect, it } from 'vitest';
import { nearest } from '../../src/query/near.ts';

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
  expect(nearest(typed, words)).toBe(meant);
});
