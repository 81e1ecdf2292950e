/** Rules as the fields of a form: nothing is lost on the way there and back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRules } from '../../src/feed/decide-card.ts';
import { parseQuery } from '../../src/query/parse-query.ts';
import { projectRuleVocabulary } from '../../src/query/project-rules.ts';
import { joinRules, NO_SIMPLE_RULES, splitRules } from '../../src/query/simple-rules.ts';

/** The different terms of rules, in any order. */
function termsOf(rules: string): readonly string[] {
  const parsed = parseQuery(rules, projectRuleVocabulary);
  if (parsed.kind === 'mistake') return expect.fail(`${rules}: ${parsed.message}`);
  return [...new Set(parsed.query.terms.map((term) => JSON.stringify(term)))].toSorted();
}

describe('rules as fields', () => {
  it.each([
    ['', {}],
    ['budget:>=500', { minBudget: '500' }],
    ['type:hourly verified:yes', { type: 'hourly', verified: true }],
    [
      'country:US,"United Kingdom" -wordpress -"data entry"',
      {
        countries: 'US, United Kingdom',
        without: 'wordpress, data entry',
      },
    ],
    ['rating:>=4.5 react', { minRating: '4.5', more: 'react' }],
    ['budget:>=500 budget:>=900', { minBudget: '500', more: 'budget:>=900' }],
    ['-country:India budget:<2k -skill:php', { more: '-country:India budget:<2k -skill:php' }],
  ])('show %s where they belong', (rules, fields) => {
    expect(splitRules(rules)).toEqual({ ...NO_SIMPLE_RULES, ...fields });
  });

  it('keep rules that nobody can read as they are', () => {
    expect(splitRules('budget:>')).toEqual({ ...NO_SIMPLE_RULES, more: 'budget:>' });
  });

  it('read what people type into a field', () => {
    const typed = { minBudget: ' $2k ', countries: '“DE”, , united kingdom', without: 'data entry,seo' };
    const read = parseRules(joinRules({ ...NO_SIMPLE_RULES, ...typed }));
    if (read.kind === 'mistake') return expect.fail(read.message);
    expect(termsOf(read.printed)).toEqual(
      termsOf('budget:>=2k country:DE,"united kingdom" -"data entry" -seo'),
    );
  });

  it('mean the same after any way through the form', () => {
    const term = fc.constantFrom(
      'react',
      '-php',
      '"data entry"',
      '-"low budget"',
      '-"one"',
      'budget:>=500',
      'budget:100..900',
      '-budget:<50',
      'type:fixed',
      '-type:hourly',
      'country:US,"United Kingdom"',
      'country:Germany',
      'rating:>=4',
      'verified:yes',
      'verified:no',
      'qualified:yes',
      'skill:"a,b"',
      'hires:>=3',
    );
    fc.assert(
      fc.property(fc.array(term, { maxLength: 12 }), (terms) => {
        const rules = terms.join(' ');
        expect(termsOf(joinRules(splitRules(rules)))).toEqual(termsOf(rules));
      }),
    );
  });
});
