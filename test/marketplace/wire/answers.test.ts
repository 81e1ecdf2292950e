import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseErrorResponse } from '../../../src/marketplace/failures.ts';
import {
  BiddingSetup,
  CreatedJob,
  Invitation,
  ListedProject,
  LookedUpProject,
  MonitoringResult,
  Paging,
  Proposal,
  ProposalTemplate,
  ResponseCredits,
} from '../../../src/marketplace/schema.ts';
import {
  parseApprovedJob,
  parseBiddingSetups,
  parseCreatedJob,
  parseJobStatus,
} from '../../../src/marketplace/wire/bidding.ts';
import {
  parseCursorPaging,
  parsePaging,
  parseResponseCredits,
  parseSafeJson,
} from '../../../src/marketplace/wire/envelope.ts';
import {
  parseListedProject,
  parseLookedUpProject,
  parseMonitoringResult,
} from '../../../src/marketplace/wire/projects.ts';
import {
  parseInvitation,
  parseProposal,
  parseProposalTemplate,
} from '../../../src/marketplace/wire/proposals.ts';
import { parseNamedEntities, parseProposalSenders } from '../../../src/marketplace/wire/undocumented.ts';
import {
  parseBoolean,
  parseFiniteNumber,
  parseInstant,
  parseMultilineText,
  parseRatio,
  parseSingleLine,
  parseStringList,
} from '../../../src/marketplace/wire/values.ts';
import { parseVerdict } from '../../../src/marketplace/wire/verdict.ts';

const url = 'https://m.example/jobs/~021';

describe('a project of a list', () => {
  test('is read field by field', () => {
    const wire = {
      title: 'Shop',
      description: 'A shop\r\nwith two lines',
      skills: 'TypeScript, Node.js , ,Slack',
      url,
      publishedAt: '2026-01-05T10:00:00+01:00',
      clientQuestions: ['Why?', null, 'When?'],
      categories: ['Web'],
      site: 'main',
      budget: { type: 'Fixed', amount: '$500' },
      clientDetails: {
        paymentMethodVerified: true,
        country: 'Norway',
        totalSpent: 12_000.5,
        totalHires: '7',
        hireRate: 0.8,
        rating: 4.9,
        reviews: 6,
      },
      qualification: { decision: 'qualified', reason: 'Fits', processedAt: '2026-01-05T10:01:00Z', score: 9 },
      somethingNew: { deep: true },
    };
    expect(parseListedProject(wire)).toEqual({
      key: '~021',
      title: 'Shop',
      description: 'A shop\nwith two lines',
      skills: ['TypeScript', 'Node.js', 'Slack'],
      url,
      publishedAt: Date.UTC(2026, 0, 5, 9),
      questions: ['Why?', 'When?'],
      categories: ['Web'],
      site: 'main',
      budget: { type: 'Fixed', amount: '$500' },
      client: {
        verified: true,
        country: 'Norway',
        totalSpent: 12_000.5,
        totalHires: 7,
        hireRate: 0.8,
        rating: 4.9,
        reviews: 6,
      },
      verdict: {
        decision: 'qualified',
        reason: 'Fits',
        decidedAt: Date.UTC(2026, 0, 5, 10, 1),
        score: 9,
        other: { decision: 'qualified', score: 9 },
      },
    });
  });

  test('needs only title and url', () => {
    const empty = { description: '', skills: [], categories: [], questions: [], client: {} };
    expect(parseListedProject({ title: 'Shop', url })).toEqual({ key: '~021', title: 'Shop', url, ...empty });
    const nulls = Object.fromEntries(
      ['description', 'skills', 'publishedAt', 'budget', 'clientDetails', 'qualification', 'categories'].map(
        (name) => [name, null],
      ),
    );
    expect(parseListedProject({ ...nulls, title: 'Shop', url })).toEqual({
      key: '~021',
      title: 'Shop',
      url,
      ...empty,
    });
  });

  test.each([{ title: 'Shop' }, { title: 'x', url: 'javascript:1' }, null, 'x'])('%j is none', (wire) => {
    expect(parseListedProject(wire)).toBeUndefined();
  });

  test.each([{ url }, { title: null, url }, { title: ' \u0000', url }])('%j has no title', (wire) => {
    expect(parseListedProject(wire)).toMatchObject({ key: '~021', title: '' });
  });

  test('hostile text is bounded and freed of control characters', () => {
    const project = parseListedProject({
      title: `  a\u0000b\u202Ec\nd${'x'.repeat(5_000)}`,
      url,
      description: `one\u0000\u0007\ntwo\u2066${'y'.repeat(200_000)}`,
      skills: Array(500).fill('s'.repeat(1_000)),
    });
    expect(project?.title.startsWith('a b c d')).toBe(true);
    expect(project?.title).toHaveLength(1_000);
    expect(project?.description.startsWith('one\ntwo')).toBe(true);
    expect(project?.description).toHaveLength(100_000);
    expect(project?.skills).toHaveLength(100);
    expect(parseSingleLine(`${'x'.repeat(9)}😀`, 10)).toBe('x'.repeat(9));
  });
});

test('a looked up project is read field by field', () => {
  const wire = {
    title: 'Shop',
    url,
    skills: ['TypeScript', { name: 'Slack' }],
    publishedTimestamp: 1_767_603_600,
    durationLabel: '1 to 3 months',
    isFeatured: true,
    budgetRaw: { type: 'hourly', hourlyMin: 20, hourlyMax: '40' },
    clientHireRate: 0.5,
    preferredQualifications: { minJobSuccessScore: 90, locations: ['Norway'], languages: null },
    clientDetails: {
      totalSpent: '$12K',
      countryTimezoneTime: '10:00',
      registeredAt: '2020-01-01',
      jobsOpen: 2,
      rankLevel: 3,
      rankDowngradeReason: { lowReviews: 4, scoredReviews: '20', recentLowReviews: null, cappedAt: -1 },
    },
    clientWorkHistory: [
      {
        job_info: { title: 'Old shop' },
        total_charge: 100,
        rate: { amount: 25 },
        feedback: { score: 5, comment: 'Good' },
        feedback_to_client: { score: 4.5 },
      },
      'junk',
    ],
  };
  expect(parseLookedUpProject(wire)).toMatchObject({
    skills: ['TypeScript', 'Slack'],
    publishedAt: 1_767_603_600_000,
    duration: '1 to 3 months',
    featured: true,
    budgetRaw: { type: 'hourly', hourlyMin: 20, hourlyMax: 40 },
    client: { totalSpentLabel: '$12K', hireRate: 0.5 },
    clientMore: {
      localTime: '10:00',
      registeredAt: Date.UTC(2020, 0, 1),
      jobsOpen: 2,
      rankLevel: 3,
      rankDowngrade: { lowReviews: 4, scoredReviews: 20 },
    },
    preferred: { minJobSuccessScore: 90, locations: ['Norway'], languages: [] },
    workHistory: [
      { title: 'Old shop', totalCharge: 100, rate: 25, score: 5, comment: 'Good', scoreOfClient: 4.5 },
    ],
  });
});

describe('a verdict', () => {
  test.each([
    [{ verdict: 'maybe', status: 'done' }, 'maybe'],
    [{ status: 'rejected' }, 'rejected'],
    [{ qualified: true }, 'qualified'],
    [{ isQualified: false }, 'disqualified'],
    [{ is_qualified: 1 }, 'qualified'],
    [{ disqualified: true }, 'disqualified'],
    [{ result: false }, 'disqualified'],
    ['qualified', 'qualified'],
    [false, 'disqualified'],
    [{ reason: null, processedAt: null }, undefined],
    // A boolean beats words that decide nothing…
    [{ status: 'processed', isQualified: true, reason: 'Fits', processedAt: null }, 'qualified'],
    [{ decision: 'strong', is_qualified: false, processedAt: '2026-01-05T10:01:00Z' }, 'disqualified'],
    [{ decision: 'unknown', isQualified: true, reason: 'Fits' }, 'qualified'],
    [{ decision: 'strong', isQualified: true }, 'qualified'],
    // …but no words that do, and it decides nothing before the verdict does.
    [{ decision: 'rejected', isQualified: true, reason: 'No budget' }, 'rejected'],
    [{ status: 'queued', isQualified: false, reason: null, processedAt: null }, undefined],
    [{ decision: 'qualified', reason: null, processedAt: null }, 'qualified'],
    [{ isQualified: false, reason: null, processedAt: null }, undefined],
    [{ status: 'pending', isQualified: false }, 'pending'],
  ])('of %j decides %s', (wire, decision) => {
    expect(parseVerdict(wire)?.decision).toBe(decision);
  });

  test.each([null, undefined, [], 7])('is none for %j', (wire) => {
    expect(parseVerdict(wire)).toBeUndefined();
  });
});

describe('credits', () => {
  test.each([
    [
      { remaining: 5, new_projects_consumed: 2 },
      { remaining: 5, consumed: 2 },
    ],
    [
      { remaining: '5', new_projects_consumed: 0 },
      { remaining: 5, consumed: 0 },
    ],
    [{ remaining: 5 }, { remaining: 5, consumed: 3, assumed: 'consumed' }],
    [{ new_projects_consumed: 1 }, { remaining: 39, consumed: 1, assumed: 'remaining' }],
    [
      { remaining: 'many', new_projects_consumed: -1 },
      { remaining: 37, consumed: 3, assumed: 'both' },
    ],
    [null, { remaining: 37, consumed: 3, assumed: 'both' }],
  ])('%j of three projects, with 40 left before', (credits, read) => {
    expect(parseResponseCredits({ credits }, 3, 40)).toEqual(read);
  });
});

describe('single values', () => {
  test.each([
    ['2026-01-05T09:00:00Z', Date.UTC(2026, 0, 5, 9)],
    ['2026-01-05T10:00:00.250+01:00', Date.UTC(2026, 0, 5, 9, 0, 0, 250)],
    ['2026-01-05T10:00:00+0100', Date.UTC(2026, 0, 5, 9)],
    ['2026-01-05 09:00:00', Date.UTC(2026, 0, 5, 9)],
    ['2026-01-05', Date.UTC(2026, 0, 5)],
    ['2026-13-05T09:00:00Z', undefined],
    ['yesterday', undefined],
    [1767603600, undefined],
  ])('the date %j', (wire, read) => {
    expect(parseInstant(wire)).toBe(read);
  });

  test('numbers, shares, switches and lists in other clothes', () => {
    expect([
      parseFiniteNumber(' 4.5 '),
      parseFiniteNumber('1e9'),
      parseFiniteNumber(''),
      parseFiniteNumber(Number.NaN),
    ]).toEqual([4.5, undefined, undefined, undefined]);
    expect([parseRatio(0.4), parseRatio('85'), parseRatio(1), parseRatio(-1), parseRatio(101)]).toEqual([
      0.4,
      0.85,
      1,
      undefined,
      undefined,
    ]);
    expect([parseBoolean('true'), parseBoolean(0), parseBoolean('yes')]).toEqual([true, false, undefined]);
    expect(parseStringList('a, b;c')).toEqual(['a', 'b', 'c']);
    expect(parseMultilineText(' \u0000 ')).toBeUndefined();
  });

  test.each(['{"a":{"__proto__":{"x":1},"b":2}}', '{"a":{"\\u005f_proto__":{"x":1},"constructor":1,"b":2}}'])(
    '%s brings no prototype keys',
    (source) => {
      expect(Object.keys((parseSafeJson(source) as { a: object }).a)).toEqual(['b']);
    },
  );
});

describe('whatever JSON comes', () => {
  const words =
    'id title url data job status credits remaining budget clientDetails qualification setups answers name';
  const key = fc.oneof(fc.constantFrom(...words.split(' ')), fc.string());
  const anything = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom(1, '7', url, '2026-01-05', null, true),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 8 }),
    ),
  })).value;

  test('reading never fails, and what is read has the promised shape', () => {
    const readers = [
      [parseListedProject, ListedProject],
      [parseLookedUpProject, LookedUpProject],
      [parseMonitoringResult, MonitoringResult],
      [parseProposal, Proposal],
      [parseInvitation, Invitation],
      [parseProposalTemplate, ProposalTemplate],
      [parseCreatedJob, CreatedJob],
      [parsePaging, Paging],
      [(body: unknown) => parseResponseCredits(body, 1, undefined), ResponseCredits],
      [(body: unknown) => parseBiddingSetups(body)?.[0], BiddingSetup],
    ] as const;
    fc.assert(
      fc.property(anything, fc.dictionary(key, anything), (value, fields) => {
        for (const wire of [
          value,
          fields,
          { ...fields, id: 1, title: 'Shop', url },
          { ...fields, job: { ...fields, id: 1 } },
        ]) {
          for (const [read, schema] of readers) {
            const found = read(wire);
            if (found !== undefined) schema.parse(found);
          }
          parseApprovedJob(wire);
          parseJobStatus(wire);
          parseProposalSenders(wire);
          parseNamedEntities('filter', wire);
          parseCursorPaging(wire);
          parseErrorResponse({ status: 402, body: wire, hideSecrets: (plain) => plain });
        }
      }),
      { numRuns: 300 },
    );
  });
});
