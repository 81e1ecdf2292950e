import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { translateEverydayWords } from '../../src/query/everyday-words.ts';
import { parseProposalSearch } from '../../src/query/proposal-search.ts';

/** A Monday. */
const NOW = Date.UTC(2026, 10, 23, 17);

describe('a search as people say it', () => {
  it.each([
    ['hired last month', 'is:hired after:2026-10-01 before:2026-11-01'],
    ['mara hired', 'mara is:hired'],
    ['status:hired', 'is:hired'],
    ['from:mara', 'freelancer:mara'],
    ['by:"eva lind" -won', 'freelancer:"eva lind" -is:hired'],
    ['today', 'after:1d'],
    ['viewed yesterday', 'is:viewed after:2d before:1d'],
    ['is:won', 'is:hired'],
    ['-status:won,seen react', '-is:hired,viewed react'],
    ['Interviewed This Week', 'is:interviewed after:2026-11-23'],
    ['last week', 'after:2026-11-16 before:2026-11-23'],
    ['this month', 'after:2026-11-01'],
    ['last year', 'after:2025-01-01 before:2026-01-01'],
    ['react in the last 2 weeks', 'react after:14d'],
    ['past 10 days', 'after:10d'],
    ['since:yesterday', 'after:2d'],
    ['after:last-month', 'after:2026-10-01'],
    ['until:2026-11-01', 'before:2026-11-01'],
    ['state:win', 'is:hired'],
    ['result:hire', 'is:hired'],
    ['outcome:read', 'is:viewed'],
    ['is:interview,invited', 'is:interviewed,invitation'],
    ['is:interviews', 'is:interviewed'],
    ['is:replied', 'is:interviewed'],
    ['is:answered', 'is:interviewed'],
    ['is:reply,invite', 'is:interviewed,invitation'],
    ['is:overbid', 'is:outbid'],
    ['outbid', 'is:outbid'],
    ['withdrawn', 'is:withdrawn'],
    ['person:mara', 'freelancer:mara'],
    ['sender:mara', 'freelancer:mara'],
    ['org:north', 'organization:north'],
    ['agency:north', 'organization:north'],
    ['order:boost', 'sort:boost'],
  ])('%s', (written, meant) => {
    expect(translateEverydayWords(written, NOW)).toBe(meant);
    expect(parseProposalSearch(meant)).toMatchObject({ kind: 'search' });
  });

  it.each([
    '',
    'react',
    '"hired last month"',
    'the last mile',
    'month',
    'is:viewed after:30d sort:boost',
    'interview app',
    'colour:red',
    'is:nonsense',
    'last 0 days',
  ])('%s stays as it is', (written) => {
    expect(translateEverydayWords(written, NOW)).toBe(written);
  });

  it('in January means the year before', () => {
    expect(translateEverydayWords('last month', Date.UTC(2026, 0, 31))).toBe(
      'after:2025-12-01 before:2026-01-01',
    );
    expect(translateEverydayWords('last week', Date.UTC(2026, 0, 4))).toBe(
      'after:2025-12-22 before:2025-12-29',
    );
  });

  it('is never made worse: a right search stays right', () => {
    const word = fc.constantFrom(
      'hired',
      'last',
      'week',
      'today',
      '-won',
      'is:viewed',
      '"x y"',
      'from:a',
      'by',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const written = words.join(' ');
        if (parseProposalSearch(written).kind === 'mistake') return;
        expect(parseProposalSearch(translateEverydayWords(written, NOW)).kind).toBe('search');
      }),
    );
  });
});
