/** Hostile facts for digests, with more than the fullest day has. */
import * as fc from 'fast-check';
import { DigestFacts } from '../../src/digests/facts.ts';
import { addDays } from '../../src/schedule/local-time.ts';
import { CHANNEL } from './samples.ts';

const nasty = fc.constantFrom(
  '<!channel>',
  '<@U0ANA>',
  '<https://evil.example|https://bank.example>',
  '&lt;!here&gt;',
  '\u202Egnp.exe',
  '\u0000',
  '\u200B',
  '`',
  '&',
  '\n',
  '😀',
  'name ',
);
/** Up to 5,000 characters. */
const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .tuple(nasty, fc.integer({ min: 1, max: 5_000 }))
    .map(([part, size]) => part.repeat(Math.ceil(size / part.length))),
);
const url = fc.oneof(
  anyName,
  fc.integer({ min: 0, max: 600 }).map((size) => `https://www.marketplace.example/jobs/${'&'.repeat(size)}`),
  fc.constant('javascript:alert(1)'),
);
const at = fc.integer({ min: 0, max: 4_000_000_000_000 });
const many = fc.nat({ max: 1_000_000 });
const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Pacific/Apia',
  'No/Where',
  '<!here>',
);

/** A few hostile rows, repeated up to the size of the fullest day. */
function rows<T>(row: fc.Arbitrary<T>, most: number): fc.Arbitrary<T[]> {
  return fc
    .tuple(fc.array(row, { maxLength: 6 }), fc.integer({ min: 0, max: most }))
    .map(([some, size]) =>
      some.length === 0 ? [] : Array.from({ length: size }, (_, place) => some[place % some.length] as T),
    );
}

function some(shape: Record<string, fc.Arbitrary<unknown>>, required: readonly string[]) {
  return fc.record(shape, { requiredKeys: [...required] });
}

const project = { project: fc.constant('~01'), title: anyName, url, publishedAt: at };
const told = some(project, ['project', 'title', 'url']);
const reason = fc.oneof(
  some({ why: fc.constant('verdict'), decision: anyName, reason: anyName }, ['why', 'decision']),
  some({ why: fc.constant('rating'), rating: fc.double({ min: 0, max: 5, noNaN: true }), reviews: many }, [
    'why',
    'rating',
  ]),
  fc.record({ why: fc.constant('spent'), spent: many }),
  fc.record({ why: fc.constant('hire-rate'), rate: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ why: fc.constant('verified') }),
  fc.record({ why: fc.constant('filters'), count: many }),
  fc.record({ why: fc.constantFrom('budget-above', 'budget-below'), amount: many, usual: many }),
  fc.record({ why: fc.constantFrom('like-won', 'like-taken', 'like-skipped'), count: many }),
);
const budget = some({ type: anyName, amount: anyName }, []);
const outcome = fc.constantFrom('viewed', 'interviewed', 'hired', 'withdrawn', 'outbid');
const counts = (length: number) => fc.array(many, { minLength: length, maxLength: length });
const id = fc.integer({ min: 1, max: 1e9 });

export const anyDigest: fc.Arbitrary<DigestFacts> = some(
  {
    channel: fc.constant(CHANNEL),
    from: at,
    to: at,
    timezone: zone,
    askedBy: fc.constantFrom('U0BEN', '<!channel>'),
    late: fc.record({ dueAt: at, missed: many }),
    projects: fc.record({
      told: many,
      best: fc.array(
        some({ ...project, points: many, budget, reasons: fc.array(reason, { maxLength: 8 }) }, [
          'project',
          'title',
          'url',
          'points',
          'reasons',
        ]),
        { maxLength: 8 },
      ),
      unclaimed: many,
      unclaimedList: rows(told, 2_000),
    }),
    invitations: fc.record({
      came: many,
      waiting: many,
      list: rows(
        some(
          { uid: fc.constant('i'), title: anyName, profile: anyName, invitedAt: at, post: fc.constant('i') },
          ['uid', 'title', 'post'],
        ),
        300,
      ),
    }),
    bids: fc.record({
      made: many,
      open: many,
      list: rows(
        some(
          {
            title: anyName,
            by: fc.constant('U0BEN'),
            setupName: anyName,
            job: id,
            state: anyName,
            statusTitle: anyName,
            waitsForApproval: fc.boolean(),
            sent: fc.boolean(),
            post: fc.constant('b'),
          },
          ['title', 'state', 'waitsForApproval', 'sent', 'post'],
        ),
        300,
      ),
    }),
    outcomes: fc.record({
      counts: fc.array(fc.record({ outcome, count: many }), { maxLength: 8 }),
      list: rows(some({ outcome, title: anyName, freelancer: anyName }, ['outcome']), 300),
    }),
    connects: fc.record({ proposals: many, priced: many, spent: many, boost: many }),
    credits: some(
      {
        spent: many,
        settled: many,
        limit: fc.oneof(many, fc.constant('unlimited')),
        resetsAt: at,
        confirmed: fc.boolean(),
        runsOutAt: at,
        accountLeft: many,
        accountRunsOutAt: at,
      },
      ['spent', 'settled', 'limit', 'resetsAt', 'confirmed'],
    ),
    setups: fc.array(fc.record({ id, name: anyName, sentToday: many, dailyLimit: many }), { maxLength: 40 }),
    feeds: fc.array(
      some(
        {
          feed: fc.constantFrom('filter', 'invitations', 'outcomes', 'all'),
          id,
          name: anyName,
          state: fc.constantFrom('failing', 'failed', 'paused', 'stopped', 'out-of-budget'),
          code: fc.oneof(anyName, fc.constantFrom('forbidden', 'not-found', 'is_archived', '__proto__')),
          since: at,
        },
        ['feed', 'state'],
      ),
      { maxLength: 40 },
    ),
    charts: some(
      {
        burn: fc.tuple(fc.integer({ min: 2, max: 20 }), fc.boolean(), many).map(([days, hasPace, spent]) =>
          Array.from({ length: days }, (_, day) => ({
            day: addDays('2026-12-25', day),
            spent,
            ...(hasPace ? { pace: spent } : {}),
          })),
        ),
        funnel: fc.record({
          days: fc.constant(30),
          sent: many,
          viewed: many,
          interviewed: many,
          hired: many,
          invited: fc.record({ sent: many, hired: many }),
        }),
        arrivals: fc.record({ days: fc.constant(30), byTime: counts(12), byWeekday: counts(7) }),
      },
      [],
    ),
  },
  [
    'channel',
    'from',
    'to',
    'timezone',
    'projects',
    'invitations',
    'bids',
    'outcomes',
    'credits',
    'setups',
    'feeds',
  ],
).map((facts) => DigestFacts.parse(facts));
