import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, MINUTE } from '../../src/clock.ts';
import {
  convertLastDigestDayTimezone,
  decideRequestedDigestStart,
  findDueDigest,
  findNextDigestSlot,
} from '../../src/digests/decide-digest.ts';
import type { DigestPlan } from '../../src/digests/records.ts';
import { UserId } from '../../src/ids.ts';
import { addDays, findWeekday, localTime } from '../../src/schedule/local-time.ts';
import { zones } from '../schedule/zones.ts';
import { CHANNEL } from '../slack/samples.ts';

const BERLIN = 'Europe/Berlin';

function planned(change: Partial<DigestPlan> = {}): DigestPlan {
  return {
    channel: CHANNEL,
    minute: 9 * 60,
    days: 'daily',
    timezone: BERLIN,
    by: UserId.parse('U0ANA'),
    setAt: Date.parse('2026-11-20T12:00:00Z'),
    ...change,
  };
}

const at = (iso: string): Instant => Date.parse(`${iso}Z`);

interface Made {
  readonly day: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly missed: number;
  readonly isLate: boolean;
}

/** Digests of a process that checks at these moments only. */
function play(plan: DigestPlan, moments: readonly Instant[]): { made: Made[]; plan: DigestPlan } {
  const made: Made[] = [];
  let now = plan;
  for (const moment of moments) {
    const due = findDueDigest(now, moment);
    if (!due) continue;
    const { slot, from, late } = due;
    made.push({ day: slot.day, from, to: moment, missed: late?.missed ?? 0, isLate: late !== undefined });
    now = { ...now, lastDay: slot.day, coveredTo: moment };
  }
  return { made, plan: now };
}

/** Days of the plan, from `from` until the day before `before`. */
function eligible({ days }: DigestPlan, from: string, before: string): string[] {
  const found: string[] = [];
  for (let day = from; day < before; day = addDays(day, 1)) found.push(day);
  return found.filter((day) => days === 'daily' || findWeekday(day) <= 5);
}

const anyPlan = fc
  .record({
    minute: fc.integer({ min: 0, max: 1_439 }),
    days: fc.constantFrom('weekdays' as const, 'daily' as const),
    timezone: fc.constantFrom(...zones),
    setAt: fc.integer({ min: 0, max: 3 * 366 * 1_440 }).map((it) => Date.UTC(2024, 0, 1) + it * MINUTE),
  })
  .map((change) => planned(change));
/** Usually a minute; sometimes hours, or days of downtime. */
const anyPauses = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 5, max: 30 }).map((it) => it * MINUTE) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 30 }).map((it) => it * HOUR) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }).map((it) => it * DAY) },
  ),
  { minLength: 1, maxLength: 60 },
);

describe('what is due', () => {
  it('each day is made or counted as missed once, and the ranges have no gap or overlap', () => {
    fc.assert(
      fc.property(anyPlan, anyPauses, (plan, pauses) => {
        let moment = plan.setAt;
        const moments = pauses.map((pause) => (moment += pause));
        const { made } = play(plan, moments);
        const dayOf = (it: Instant) => localTime(it, plan.timezone).day;
        let last: Made | undefined;
        let open = addDays(findNextDigestSlot(plan, plan.setAt).day, -1);
        for (const each of made) {
          const between = eligible(plan, addDays(open, 1), each.day);
          expect(each.missed).toBe(between.length);
          expect(eligible(plan, each.day, addDays(each.day, 1))).toEqual([each.day]);
          expect(each.day > open).toBe(true);
          if (last) expect(each.from).toBe(last.to);
          expect(each.from).toBeLessThan(each.to);
          expect(dayOf(each.to) >= each.day).toBe(true);
          open = each.day;
          last = each;
        }
      }),
    );
  });

  it('of a day begins and ends at the hour, and one of Monday goes back to Friday', () => {
    const plan = planned({ days: 'weekdays', setAt: at('2026-11-18T12:00:00') });
    const minutes = Array.from({ length: 6 * 1_440 }, (_, minute) => plan.setAt + minute * MINUTE);
    expect(play(plan, minutes).made.map(({ day, from, to }) => [day, new Date(from), new Date(to)])).toEqual([
      ['2026-11-19', new Date('2026-11-18T08:00Z'), new Date('2026-11-19T08:00Z')],
      ['2026-11-20', new Date('2026-11-19T08:00Z'), new Date('2026-11-20T08:00Z')],
      ['2026-11-23', new Date('2026-11-20T08:00Z'), new Date('2026-11-23T08:00Z')],
      ['2026-11-24', new Date('2026-11-23T08:00Z'), new Date('2026-11-24T08:00Z')],
    ]);
  });

  it.each([
    ['a skipped 2:30 comes after the change', '2026-03-27', 150, ['28T01:30', '29T01:00', '30T00:30']],
    ['nine stays nine in spring', '2026-03-27', 540, ['28T08:00', '29T07:00', '30T07:00']],
    ['a 2:30 that comes twice comes once', '2026-10-23', 150, ['24T00:30', '25T00:30', '26T01:30']],
    ['nine stays nine in autumn', '2026-10-23', 540, ['24T07:00', '25T08:00', '26T08:00']],
  ])('%s', (_, from, minute, came) => {
    const plan = planned({ minute, setAt: at(`${from}T20:00:00`) });
    const halfHours = Array.from({ length: 6 * 24 }, (_none, n) => plan.setAt + n * 30 * MINUTE);
    const { made } = play(plan, halfHours);
    expect(made.map(({ to }) => new Date(to).toISOString().slice(8, 16))).toEqual(came);
  });

  it.each([
    ['at its minute', '2026-11-21T08:00:00', undefined],
    ['ten minutes later', '2026-11-21T08:10:00', undefined],
    ['eleven minutes later', '2026-11-21T08:11:00', { dueAt: at('2026-11-21T08:00:00'), missed: 0 }],
    ['days later', '2026-11-24T07:59:00', { dueAt: at('2026-11-23T08:00:00'), missed: 2 }],
    ['days later at the minute', '2026-11-24T08:00:00', { dueAt: at('2026-11-24T08:00:00'), missed: 3 }],
  ])('%s it says how late it is', (_, now, late) => {
    const due = findDueDigest(planned(), at(now));
    expect(due?.late).toEqual(late);
    expect(due?.from).toBe(at('2026-11-20T08:00:00'));
  });

  it('a digest of today whose hour has passed is not made up for', () => {
    expect(findDueDigest(planned(), at('2026-11-20T12:01:00'))).toBeUndefined();
    expect(findDueDigest(planned(), at('2026-11-21T07:59:00'))).toBeUndefined();
  });

  it('after months offline, it covers one month and counts only that month’s digests as missed', () => {
    const plan = planned({ lastDay: '2026-11-20', coveredTo: at('2026-11-20T08:00:00') });
    const now = at('2027-03-01T12:00:00');
    expect(findDueDigest(plan, now)).toMatchObject({ from: now - 31 * DAY, late: { missed: 30 } });
  });
});

describe('after the clock ran ahead for a while', () => {
  const now = at('2026-11-24T10:00:00');
  const ahead = planned({
    setAt: at('2026-10-01T12:00:00'),
    lastDay: '2031-03-04',
    coveredTo: at('2031-03-04T08:00:00'),
  });

  it('the newest digest comes, and those of the days behind it', () => {
    expect(findDueDigest(ahead, now)).toMatchObject({
      slot: { day: '2026-11-24' },
      from: at('2026-11-23T08:00:00'),
      late: { missed: 0 },
    });
    expect(findNextDigestSlot(ahead, now).day).toBe('2026-11-25');
    const { made } = play(ahead, [now, now + MINUTE, now + DAY]);
    expect(made.map(({ day, missed }) => [day, missed])).toEqual([
      ['2026-11-24', 0],
      ['2026-11-25', 0],
    ]);
  });

  it('a plan that was made then counts from now on', () => {
    const future = at('2031-03-04T08:00:00');
    const plan = planned({ setAt: future });
    expect(findDueDigest(plan, now)?.slot.day).toBe('2026-11-24');
    expect(findNextDigestSlot(plan, now).day).toBe('2026-11-25');
  });

  it('by a few hours, no day gets a second digest', () => {
    const plan = planned({ lastDay: '2026-11-24', coveredTo: now + 5 * HOUR });
    expect(findDueDigest(plan, now)).toBeUndefined();
    expect(findNextDigestSlot(plan, now).day).toBe('2026-11-25');
  });
});

describe('another plan', () => {
  const morning = planned({ lastDay: '2026-11-20', coveredTo: at('2026-11-20T08:00:00') });
  const change = (plan: DigestPlan, to: Partial<DigestPlan>): DigestPlan => {
    const lastDay = convertLastDigestDayTimezone(plan, to.timezone ?? plan.timezone);
    return { ...plan, ...to, ...(lastDay === undefined ? {} : { lastDay }) };
  };

  it('brings no second digest on the day of the first', () => {
    const later = change(morning, { minute: 15 * 60, setAt: at('2026-11-20T09:00:00') });
    expect(findDueDigest(later, at('2026-11-20T18:00:00'))).toBeUndefined();
    expect(findNextDigestSlot(later, at('2026-11-20T09:00:00')).at).toBe(at('2026-11-21T14:00:00'));
  });

  it('in a zone farther west skips no day, and farther east doubles none', () => {
    const auckland = planned({
      timezone: 'Pacific/Auckland',
      lastDay: '2026-11-21',
      coveredTo: at('2026-11-20T20:00:00'),
    });
    const west = change(auckland, { timezone: 'America/Los_Angeles', setAt: at('2026-11-20T20:30:00') });
    expect(new Date(findNextDigestSlot(west, west.setAt).at)).toEqual(new Date('2026-11-21T17:00:00Z'));
    const angeles = planned({
      timezone: 'America/Los_Angeles',
      lastDay: '2026-11-20',
      coveredTo: at('2026-11-20T17:00:00'),
    });
    const east = change(angeles, { timezone: 'Pacific/Auckland', setAt: at('2026-11-20T17:30:00') });
    expect(new Date(findNextDigestSlot(east, east.setAt).at)).toEqual(new Date('2026-11-21T20:00:00Z'));
  });

  it('goes on from where the last digest ended, whenever it is', () => {
    const later = change(morning, { minute: 15 * 60, setAt: at('2026-11-20T09:00:00') });
    expect(findDueDigest(later, at('2026-11-21T14:00:00'))?.from).toBe(at('2026-11-20T08:00:00'));
  });
});

it('one that is asked for covers a day at the least and a week at the most', () => {
  const now = at('2026-11-20T12:00:00');
  expect(decideRequestedDigestStart(undefined, now)).toBe(now - DAY);
  expect(decideRequestedDigestStart(now - HOUR, now)).toBe(now - DAY);
  expect(decideRequestedDigestStart(now - 3 * DAY, now)).toBe(now - 3 * DAY);
  expect(decideRequestedDigestStart(now - 30 * DAY, now)).toBe(now - 7 * DAY);
});
