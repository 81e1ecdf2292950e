import { describe, expect, it } from 'vitest';
import { FilterId } from '../../../src/ids.ts';
import { matchLeadingFilter } from '../../../src/slack/kit/words/filters.ts';

const named = (id: number, name: string) => ({ id: FilterId.parse(id), name });
const react = named(8, 'React jobs');
const native = named(9, 'React native');
const vue = named(10, 'Vue');
const known = [react, native, vue];

describe('the filter that a person means', () => {
  it.each([
    ['8 rating:>4', react, 'rating:>4'],
    ['#10', vue, ''],
    ['react JOBS -wordpress', react, '-wordpress'],
    ['"React native" rating:>4', native, 'rating:>4'],
  ])('%s is found by its id or its name', (text, filter, rest) => {
    expect(matchLeadingFilter(text, known)).toEqual({ kind: 'found', filter, rest });
  });

  it('is only guessed from the start of one name', () => {
    const guess = { kind: 'found', filter: vue, rest: '' };
    expect(matchLeadingFilter('vu', known)).toEqual(guess);
  });

  it('is asked for when a beginning fits several', () => {
    expect(matchLeadingFilter('react', known)).toEqual({
      kind: 'several',
      name: 'react',
      filters: [react, native],
    });
  });

  it('may be one that no setup has named, by its id alone', () => {
    expect(matchLeadingFilter('77', known)).toMatchObject({ kind: 'found', filter: { id: 77 } });
    expect(matchLeadingFilter('svelte', known)).toEqual({ kind: 'none', asked: 'svelte' });
  });
});
