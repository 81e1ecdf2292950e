import { describe, expect, test } from 'vitest';
import { ProjectKey } from '../../src/ids.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { matchesQuery } from '../../src/query/match-query.ts';
import { parseQuery } from '../../src/query/parse-query.ts';
import {
  budgetType,
  findUnknownCountries,
  largestAmount,
  projectRuleSubject,
  projectRuleVocabulary,
} from '../../src/query/project-rules.ts';

const project: ListedProject = {
  key: ProjectKey.parse('~01'),
  title: 'Full-stack React developer for a café chain',
  url: 'https://example.com/~01',
  description: 'We build a booking site.\nNode.js and C++ are a plus.',
  skills: ['React', 'Node.js'],
  categories: ['Web, Mobile & Software Dev'],
  questions: ['Why you?', 'When?'],
  budget: { type: 'Fixed', amount: '$500 - $1,000' },
  client: {
    verified: true,
    country: 'United States',
    totalSpent: 12_000,
    totalHires: 8,
    hireRate: 0.8,
    rating: 4.9,
  },
  verdict: { decision: 'Qualified', other: {} },
};
const bare: ListedProject = {
  ...project,
  budget: undefined,
  client: {},
  verdict: undefined,
} as ListedProject;

function matches(rules: string, of: ListedProject = project): boolean {
  const parsed = parseQuery(rules, projectRuleVocabulary);
  if (parsed.kind === 'mistake') throw new Error(parsed.message);
  return matchesQuery(parsed.query, projectRuleSubject(of));
}

test('what keyboards make of a text does not hide its words', () => {
  const typed = { ...project, description: 'We don’t need “fancy” React🚀 or book\u00adings' };
  for (const rules of ["don't", 'don’t', 'react', '"react🚀 or"', '🚀', 'bookings', 'fancy'])
    expect(matches(rules, typed)).toBe(true);
});

describe('rules of a filter', () => {
  test.each([
    '',
    'react',
    'REACT cafe',
    'full-stack',
    '"full stack react"',
    '"booking site"',
    'node.js c++',
    'develop*',
    '-angular -"landing page"',
    'budget:1000 budget:>=1k budget:$500..$2,000',
    'type:fixed',
    'country:US',
    'country:uk,"united states"',
    'country:USA -country:India,Pakistan',
    'rating:>4.5 spent:>10k hires:5..10',
    'hirerate:80 hirerate:>=80% hirerate:>0.79',
    'verified:yes qualified:yes',
    'skill:react -skill:vue',
    'category:"Web, Mobile & Software Dev"',
    'questions:<=2',
  ])('hold: %s', (rules) => expect(matches(rules)).toBe(true));

  test.each([
    'angular',
    'develop',
    'act',
    '-react',
    '"react booking"',
    'budget:>1000',
    'type:hourly',
    '-country:US',
    'rating:5',
    'hirerate:>80',
    'verified:no',
    'skill:node',
    'category:Web',
    'questions:0',
  ])('do not hold: %s', (rules) => expect(matches(rules)).toBe(false));

  test('what is not known satisfies nothing, and its negation holds', () => {
    for (const rule of [
      'budget:>=0',
      'country:US',
      'rating:<5',
      'verified:yes',
      'verified:no',
      'qualified:no',
    ]) {
      expect(matches(rule, bare)).toBe(false);
      expect(matches(`-${rule}`, bare)).toBe(true);
    }
  });
});

test.each([
  ['$500 - $1,000', 1_000],
  ['$15.00-$30.00 /hr', 30],
  ['Less than $500', 500],
  ['$10K+', 10_000],
  ['$1.5m', 1_500_000],
  ['$2,000 over 3 months', 2_000],
  ['Not specified', undefined],
  [undefined, undefined],
])('the largest amount of %s is %s', (label, amount) => expect(largestAmount(label)).toBe(amount));

test('the type is read from whatever the label says', () => {
  expect(budgetType({ type: 'Hourly' })).toBe('hourly');
  expect(budgetType({ type: 'fixed-price' })).toBe('fixed');
  expect(budgetType({ amount: '$15 - $30 /hr' })).toBe('hourly');
  expect(budgetType({ amount: '$15' })).toBeUndefined();
});

test.each([
  ['country:Germny', [{ written: 'Germny', near: 'Germany' }]],
  ['react -country:Pakstan', [{ written: 'Pakstan', near: 'Pakistan' }]],
  ['country:US,Untied', [{ written: 'Untied' }]],
  [
    'country:"Unitd Kingdom",Atlantis',
    [{ written: 'Unitd Kingdom', near: 'United Kingdom' }, { written: 'Atlantis' }],
  ],
  ['country:Philippnes country:XQ', [{ written: 'Philippnes', near: 'Philippines' }, { written: 'XQ' }]],
])('%s names what no country is called', (rules, unknown) => {
  expect(findUnknownCountries(rules)).toEqual(unknown);
});

test.each([
  'country:US,uk,"united states"',
  'country:"Hong Kong",Macau,"Ivory Coast","Côte d’Ivoire","Bosnia and Herzegovina",' +
    '"Saint Lucia",Burma,Korea',
  'country:"Guinea-Bissau",turkiye',
  'Germny skill:Germny',
  'country:(Germny',
  '',
])('%s names none', (rules) => {
  expect(findUnknownCountries(rules)).toEqual([]);
});
