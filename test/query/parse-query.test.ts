import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { matchesQuery } from '../../src/query/match-query.ts';
import { formatQuery, parseQuery } from '../../src/query/parse-query.ts';
import { projectRuleVocabulary } from '../../src/query/project-rules.ts';
import { proposalSearchVocabulary } from '../../src/query/proposal-search.ts';
import type { Query, QueryVocabulary } from '../../src/query/query.ts';

const search: QueryVocabulary = {
  of: 'search of proposals',
  qualifiers: {
    is: { kind: 'choice', choices: ['viewed', 'hired'] },
    template: { kind: 'text' },
    connects: { kind: 'number' },
    sent: { kind: 'date' },
    after: { kind: 'date' },
    before: { kind: 'date' },
  },
  example: 'is:hired after:30d',
  alternatives: 'Write commas.',
};

function read(text: string, vocabulary = projectRuleVocabulary): Query {
  const parsed = parseQuery(text, vocabulary);
  if (parsed.kind === 'mistake') throw new Error(`${text}: ${parsed.message}`);
  return parsed.query;
}

const printed = (text: string, vocabulary = projectRuleVocabulary) => formatQuery(read(text, vocabulary));

function mistake(text: string, vocabulary = projectRuleVocabulary) {
  const parsed = parseQuery(text, vocabulary);
  if (parsed.kind !== 'mistake') throw new Error(`no mistake: ${text}`);
  return {
    where: text.slice(parsed.at, parsed.at + parsed.length),
    message: parsed.message,
    example: parsed.example,
  };
}

describe('a query', () => {
  test('is words, phrases and qualifiers, each of which may be excluded', () => {
    expect(read('react -"landing  page" -country:India budget:>=1k').terms).toEqual([
      { kind: 'word', text: 'react', negated: false },
      { kind: 'phrase', text: 'landing page', negated: true },
      { kind: 'qualifier', name: 'country', comparison: '=', value: 'India', negated: true },
      { kind: 'qualifier', name: 'budget', comparison: '>=', value: '1k', negated: false },
    ]);
  });

  test.each([
    ['“two words” skill:„react native“', '"two words" skill:"react native"'],
    ['budget: >\u00a0500', 'budget:>500'],
    ['budget:&gt;=500 r&amp;d', 'budget:>=500 r&d'],
    ['budget>500 rating >= 4', 'budget:>500 rating:>=4'],
    ['budget:≥500', 'budget:>=500'],
    ['–wordpress react', '-wordpress react'],
    ['foo(bar) "(a OR b)" "OR" or country:"(US)"', 'foo(bar) "(a OR b)" "OR" or country:"(US)"'],
    ['BUDGET:$1,500', 'budget:1500'],
    ['<http://upwork.com|upwork.com> <https://a.b/c?x=1&amp;y=2>', 'upwork.com a.b/c?x=1&y=2'],
    ['Country: us, "United Kingdom"', 'country:us,"United Kingdom"'],
    ['hirerate:>0.8 hirerate:75', 'hirerate:>80% hirerate:75%'],
    ['verified:TRUE type:Hourly', 'verified:yes type:hourly'],
    ['budget:100..500 rating:4.. spent:..1k', 'budget:100..500 rating:>=4 spent:<=1k'],
    ['-budget:100..500', '-budget:100..500'],
    ['12:30 http://x.y c++ .net', '12:30 http://x.y c++ .net'],
    ['budget:*..500 hires:3..*', 'budget:<=500 hires:>=3'],
    ['budget=500 rating :5 spent : 10k', 'budget:500 rating:5 spent:10k'],
    ['budget:500..500 hires:>=0', 'budget:500..500 hires:>=0'],
    ['hirerate:1 hirerate:1.5 hirerate:.5', 'hirerate:100% hirerate:1.5% hirerate:50%'],
    ['verified:OFF qualified:y', 'verified:no qualified:yes'],
    ['skill:  "a   b"', 'skill:"a b"'],
    ['a\u200bb x(y) a<b', 'ab x(y) a<b'],
    ['<tel:+123|+1 23> <https://a//b> & &amp;x', '+1 23 a//b & &x'],
    ['country:"a,b",c', 'country:"a,b",c'],
    ['country:US,', 'country:US'],
    ['country:US, ', 'country:US'],
    ['country:US,,UK,', 'country:US,UK'],
    ['country:US , UK react', 'country:US,UK react'],
    ['country:US, -wordpress', 'country:US -wordpress'],
    ['country:US,-country:IN', 'country:US -country:IN'],
    ['country:US, type:fixed,budget:>500', 'country:US type:fixed budget:>500'],
    ['country:"Norway", "landing page", react, , vue,', 'country:Norway,"landing page",react,vue'],
    ['react, "landing page", 1,000 verified:yes, ,', 'react "landing page" 1,000 verified:yes'],
  ])('is forgiven its spelling: %s', (typed, meant) => {
    expect(printed(typed)).toBe(meant);
  });

  test('finds by dates: a day, from it on, before it, days ago', () => {
    const now = Date.UTC(2026, 10, 20, 12);
    const at = (sent: number) => ({ text: '', fieldValue: () => sent, now });
    const day = Date.UTC(2026, 10, 10);
    const holds = (text: string, sent: number) => matchesQuery(read(text, search), at(sent));
    expect(holds('sent:2026-11-10', day + DAY - 1)).toBe(true);
    expect(holds('sent:2026-11-10', day + DAY)).toBe(false);
    expect(holds('after:2026-11-10', day)).toBe(true);
    expect(holds('before:2026-11-10', day)).toBe(false);
    expect(holds('after:7d', now - 6 * DAY)).toBe(true);
    expect(holds('after:7d', now - 8 * DAY)).toBe(false);
    expect(holds('sent:2026-11-01..2026-11-10', day + DAY - 1)).toBe(true);
  });
});

/** Typed, the wrong part of it, what would be right, and what the message says. */
describe('a mistake is shown with its place and what would be right', () => {
  test.each([
    ['budget:cheap react', 'cheap', 'budget:500 react', 'like 500'],
    ['budget:">500"', '">500"', 'budget:500', 'like 500'],
    ['budget:lots', 'lots', 'budget:500', 'like 500'],
    ['budget:..', '..', 'budget:500', 'like 500'],
    ['budget:x..500', 'x..500', 'budget:500', 'like 500'],
    ['budget:500..x', '500..x', 'budget:500', 'like 500'],
    ['budget:..x', '..x', 'budget:500', 'like 500'],
    ['budget:1..2..3', '1..2..3', 'budget:500', 'like 500'],
    ['budget:500%', '500%', 'budget:500', 'like 500'],
    ['(react)', '(react)', 'react', 'Parentheses'],
    ['(react vue) -x', '(react', 'react vue -x', 'Parentheses'],
    ['react -(vue angular)', '-(vue', 'react -vue angular', 'Parentheses'],
    ['react )', ')', 'react', 'Parentheses'],
    ['(react OR vue)', '(react', projectRuleVocabulary.example, 'Parentheses'],
    ['country:(US,Canada)', '(US', 'country:US,Canada', 'Parentheses'],
    ['a) b', 'a)', 'a b', 'Parentheses'],
    ['react "a b) c" (x)', '(x)', 'react "a b) c" x', 'Parentheses'],
    ['x(y) z)', 'z)', 'xy z', 'Parentheses'],
    ['react OR vue', 'OR', projectRuleVocabulary.example, '"OR" doesn\'t work here. For alternatives'],
    [
      'x country:US OR country:"United Kingdom"',
      'OR',
      'x country:US,"United Kingdom"',
      '"OR" doesn\'t work here. For alternatives',
    ],
    [
      'budget:5 OR budget:6',
      'OR',
      projectRuleVocabulary.example,
      '"OR" doesn\'t work here. For alternatives',
    ],
    ['OR react', 'OR', projectRuleVocabulary.example, '"OR" doesn\'t work here. For alternatives'],
    ['react OR', 'OR', projectRuleVocabulary.example, '"OR" doesn\'t work here. For alternatives'],
    ['country:US OR', 'OR', projectRuleVocabulary.example, '"OR" doesn\'t work here. For alternatives'],
    [
      'country:US OR type:fixed',
      'OR',
      projectRuleVocabulary.example,
      '"OR" doesn\'t work here. For alternatives',
    ],
    [
      'country:US OR -country:CA',
      'OR',
      projectRuleVocabulary.example,
      '"OR" doesn\'t work here. For alternatives',
    ],
    [
      '-country:US OR country:CA',
      'OR',
      projectRuleVocabulary.example,
      '"OR" doesn\'t work here. For alternatives',
    ],
    ['react budget:', 'budget:', 'react budget:>=500', 'needs a value'],
    ['budget: country:US', 'budget:', 'budget:>=500 country:US', 'needs a value'],
    ['rating:', 'rating:', 'rating:>=4', 'needs a value'],
    ['questions:', 'questions:', 'questions:<=3', 'needs a value'],
    ['spent:', 'spent:', 'spent:>=10k', 'needs a value'],
    ['verified:', 'verified:', 'verified:yes', 'needs a value'],
    ['hirerate:', 'hirerate:', 'hirerate:>=80%', 'needs a value'],
    ['-', '-', projectRuleVocabulary.example, 'no word'],
    [' : ', ':', projectRuleVocabulary.example, 'no word'],
    ['react -', '-', 'react', 'no word'],
    ['react :', ':', 'react', 'no word'],
    ['react -: vue', '-:', 'react  vue', 'no word'],
    ['react :- vue', ':-', 'react  vue', 'no word'],
    ['react budgte:>500', 'budgte', 'react budget:>500', 'Did you mean'],
    ['budgte:1 ratng:2', 'budgte', projectRuleVocabulary.example, 'Did you mean'],
    ['-budgte:500', 'budgte', '-budget:500', 'Did you mean'],
    ['\u201creact\u201d &lt;b budgte:&gt;1', 'budgte', '"react" <b budget:>1', 'Did you mean'],
    ['react "landing page', '"landing page', 'react "landing page"', 'closing quote'],
    ['skill:"react native', '"react native', 'skill:"react native"', 'closing quote'],
    ['-"landing page', '-"landing page', '-"landing page"', 'closing quote'],
    ['hirerate:800', '800', 'hirerate:80%', 'a share from 0%'],
    ['hirerate:>150%', '150%', 'hirerate:>80%', 'a share from 0%'],
    ['hirerate:100.5', '100.5', 'hirerate:80%', 'a share from 0%'],
    ['- wordpress', '-', '-wordpress', 'exclude a word'],
    ['–wordpress — react', '—', '–wordpress -react'.replace('–', '-'), 'exclude a word'],
    ['react --- vue', '---', 'react -vue', 'exclude a word'],
    ['react NOT vue', 'NOT', 'react -vue', 'Instead of'],
    ['react NOT', 'NOT', 'react', 'Instead of'],
    ['react NOT -vue', 'NOT', 'react -vue', 'Instead of'],
    ['rating:500', '500', 'rating:4', 'from 0 to 5'],
    ['rating:>6', '6', 'rating:>4', 'from 0 to 5'],
    ['rating:3..6', '3..6', 'rating:4', 'from 0 to 5'],
    ['type:hourli', 'hourli', 'type:hourly', 'fixed, hourly'],
    ['type:xyz', 'xyz', 'type:fixed', 'fixed, hourly'],
    ['country:-', '-', 'country:"two words"', 'Use a word'],
    ['country:\u0301', '\u0301', 'country:"two words"', 'Use a word'],
    ['react AND vue', 'AND', 'react vue', 'must match anyway'],
    ['react AND', 'AND', 'react', 'must match anyway'],
    ['zzz:1', 'zzz', projectRuleVocabulary.example, 'You can use: budget: type: country:'],
    ['""', '""', '"two words"', 'quotes are empty'],
    ['verified:maybe', 'maybe', 'verified:yes', 'yes'],
    ['country:>US', ':>', 'country:US', "doesn't work with"],
    ['budget:500..100', '500..100', 'budget:100..500', 'low to high'],
    ['budget:>100..500', ':>', 'budget:100..500', 'already sets both ends'],
    ['\u0301', '\u0301', projectRuleVocabulary.example, 'nothing to match'],
    ['rating:>5', ':>5', 'rating:>=4', 'than 5'],
    ['hirerate:>100%', ':>100%', 'hirerate:>=80%', 'than 100%'],
    ['hires:<0', ':<0', 'hires:>=3', 'less than 0'],
    ['questions:many', 'many', 'questions:3', 'like 3'],
  ])('%s', (typed, where, example, says) => {
    const found = mistake(typed);
    expect(found).toMatchObject({ where, example });
    expect(found.message).toContain(says);
  });

  test.each([
    ['connects:', 'connects:', 'connects:>=10', 'needs a value'],
    ['template:', 'template:', 'template:"two words"', 'needs a value'],
    ['sort:', 'sort:', 'sort:newest', 'needs a value'],
    ['before:', 'before:', 'before:7d', 'needs a value'],
    ['after:yesterday', 'yesterday', 'after:7d', '7 days ago'],
    ['after:2026-13-01', '2026-13-01', 'after:7d', '7 days ago'],
    ['before:2026-02-29', '2026-02-29', 'before:7d', '7 days ago'],
    ['after:20261-1-1', '20261-1-1', 'after:7d', '7 days ago'],
    ['is:>viewed', ':>', 'is:viewed', "doesn't work with"],
    ['sort:>boost', ':>', 'sort:boost', "doesn't work with"],
    ['before:>7d', ':>', 'before:7d', "doesn't work with"],
    ['is:hired sort:relevance', 'sort:relevance', 'is:hired sort:newest', 'one search word'],
    ['-react sort:relevance', 'sort:relevance', '-react sort:newest', 'one search word'],
    ['-"a b" sort:relevance', 'sort:relevance', '-"a b" sort:newest', 'one search word'],
    ['after:2026-11-01..2026-11-05', '2026-11-01..2026-11-05', 'after:7d', 'takes one date'],
    ['before:7d..3d', '7d..3d', 'before:7d', 'takes one date'],
    ['sort:new', 'new', 'sort:newest', 'newest, oldest'],
    ['sort:newest,boost', 'newest,boost', 'sort:newest', 'newest, oldest'],
    ['sort:boost react SORT:oldest', 'SORT:oldest', 'sort:boost react', 'only once'],
    ['sort:boost sort:boost react', 'sort:boost', 'sort:boost react', 'only once'],
    ['react OR vue', 'OR', proposalSearchVocabulary.example, '"OR" doesn\'t work here. For alternatives'],
    ['is:hired OR is:viewed', 'OR', 'is:hired,viewed', '"OR" doesn\'t work here. For alternatives'],
    ['react is:veiwed', 'veiwed', 'react is:viewed', 'viewed, interviewed'],
    ['status:hired', 'status', proposalSearchVocabulary.example, 'You can use: is: template: variant:'],
    ['org:3', 'org', 'organization:3', 'Did you mean'],
    ['boost:alot', 'alot', 'boost:20', 'like 20'],
    ['position:<0', ':<0', 'position:<=5', 'less than 0'],
    ['react -sort:boost', '-sort:boost', 'react sort:boost', "can't be excluded"],
  ])('in the search of proposals: %s', (typed, where, example, says) => {
    const found = mistake(typed, proposalSearchVocabulary);
    expect(found).toMatchObject({ where, example });
    expect(found.message).toContain(says);
  });

  test.each(['react sort:relevance', '"a b" sort:relevance', 'is:hired sort:RELEVANCE react'])(
    'and an order by words with words to go by is none: %s',
    (typed) =>
      expect(read(typed, proposalSearchVocabulary).terms).toHaveLength(typed.startsWith('is') ? 3 : 2),
  );

  test('also for dates', () => {
    expect(mistake('after:2026-02-30', search)).toMatchObject({ where: '2026-02-30', example: 'after:7d' });
    expect(mistake('after:>2026-02-03', search)).toMatchObject({
      where: ':>',
      example: 'after:2026-02-03',
    });
    expect(mistake('sent:2026-11-10..2026-11-01', search).example).toBe('sent:2026-11-01..2026-11-10');
    expect(mistake('sent:3d..7d', search).example).toBe('sent:7d..3d');
    expect(printed('sent:2026-11-10..2026-11-10', search)).toBe('sent:2026-11-10..2026-11-10');
  });

  test('and for what is too long', () => {
    expect(mistake('x'.repeat(501)).message).toMatch(/\b500\b/);
    expect(mistake('x'.repeat(501)).where).toBe('x');
    expect(read('x'.repeat(500)).terms).toHaveLength(1);
    expect(mistake('x'.repeat(5_000)).message).toContain('5,000');
    // A correction is shown only if it is short.
    expect(mistake(`${'x'.repeat(493)} spent:`).example).toBe(projectRuleVocabulary.example);
    expect(mistake(`${'x '.repeat(39)}y spent: z`).example).toBe(projectRuleVocabulary.example);
    expect(mistake(`${'x '.repeat(39)}spent:`).example).toBe(`${'x '.repeat(39)}spent:>=10k`);
    expect(mistake('x '.repeat(41)).message).toMatch(/\b40\b/);
    expect(read('x '.repeat(40)).terms).toHaveLength(40);
  });
});

describe('whatever is typed', () => {
  const traps = `( ) OR AND NOT | || foo(bar) budget country type: hirerate: : " “ - — > <= = , .. &gt;
    &amp; & &amp;lt; <http://a.b|c> < US 500 1.5k % 80 fixed a é * constructor: __proto__: verified:yes //
    http: sort:newest sort:relevance is:hired template: after:7d`;
  const unseen = [' ', '\n', '\u00a0', '\u0301', '\u200b', '\ud83d', '\u0000'];
  const bits = fc.constantFrom(...traps.split(/\s+/), ...unseen);
  const typed = fc.oneof(
    fc.array(bits, { maxLength: 25 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );

  test.each([
    ['rules', projectRuleVocabulary],
    ['search', proposalSearchVocabulary],
  ])('is read without a fault, and a query is printed so that it reads the same: %s', (_, vocabulary) => {
    fc.assert(
      fc.property(typed, (text) => {
        const parsed = parseQuery(text, vocabulary);
        if (parsed.kind === 'mistake') {
          expect(parsed.at + parsed.length).toBeLessThanOrEqual(text.length);
          expect(parseQuery(parsed.example, vocabulary).kind).toBe('query');
          return;
        }
        expect(parseQuery(formatQuery(parsed.query), vocabulary)).toEqual(parsed);
        matchesQuery(parsed.query, { text, fieldValue: () => text });
      }),
      { numRuns: 3_000 },
    );
  });

  test('is read at once, also where one trap repeats itself', () => {
    for (const bit of ['"', '-', '<http:', 'a:', 'budget:', 'country:US,', ' >', '&', '\u0301'])
      expect(['query', 'mistake']).toContain(
        parseQuery(bit.repeat(500).slice(0, 500), projectRuleVocabulary).kind,
      );
  });
});
