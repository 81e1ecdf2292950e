/** What a person follows, as typed. */
import { describe, expect, it } from 'vitest';
import { FilterId } from '../../src/ids.ts';
import { parseFollow, writeFollow } from '../../src/slack/follows/parse-follow.ts';

const REACT = { id: FilterId.parse(7), name: 'React work' };
const DATA = { id: FilterId.parse(8), name: 'Data work' };
const known = [REACT, DATA];

function target(text: string) {
  const parsed = parseFollow(text, known);
  return parsed.kind === 'target' ? parsed.target : expect.fail(`${text}: ${parsed.kind}`);
}

describe('what is followed', () => {
  it.each([
    ['7', { filter: 7, rules: '' }],
    ['#7', { filter: 7, rules: '' }],
    ['filter 7', { filter: 7, rules: '' }],
    ['Filter 7 budget:>2000', { filter: 7, rules: 'budget:>2000' }],
    ['7 react -wordpress', { filter: 7, rules: 'react -wordpress' }],
    ['filter React work budget:>2000', { filter: 7, rules: 'budget:>2000' }],
    ['filter "data work"', { filter: 8, rules: '' }],
    ['react budget:>2000', { rules: 'react budget:>2000' }],
    ['"filter design"', { rules: '"filter design"' }],
    ['"7 days"', { rules: '"7 days"' }],
    ['React work', { rules: 'React work' }],
  ])('of %s', (text, expected) => {
    expect(target(text)).toEqual(expected);
  });

  it('is the same when it is typed again', () => {
    for (const text of ['7', 'filter 7 budget:>2000', 'react -"word press"', '"filter design"', '8 "7 days"'])
      expect(target(writeFollow(target(text)))).toEqual(target(text));
  });
});

describe('what is refused', () => {
  it.each([
    ['filter', ''],
    ['filter 0', '0'],
    ['filter 1234567890123456', '1234567890123456'],
    ['filter Nothing', 'Nothing'],
  ])('%s names no filter', (text, asked) => {
    expect(parseFollow(text, known)).toEqual({ kind: 'no-filter', asked });
  });

  it('is a name of several filters, and rules with a mistake, with its place', () => {
    const twice = [REACT, { ...DATA, name: 'React work' }];
    expect(parseFollow('filter React', twice).kind).toBe('several');
    expect(parseFollow('7 budget:lots', known)).toMatchObject({
      kind: 'wrong-rules',
      rules: 'budget:lots',
      before: 'filter 7 ',
      mistake: { at: 7 },
    });
  });
});
