import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import {
  addDays,
  daysBetween,
  isTimezone,
  localTime,
  localTimeToInstant,
} from '../../src/schedule/local-time.ts';
import { zones } from './zones.ts';

const BERLIN = 'Europe/Berlin';
const iso = (at: number) => new Date(at).toISOString();

describe('the wall clock', () => {
  it.each([
    ['2026-11-20T18:38:55.250Z', BERLIN, { day: '2026-11-20', minute: 19 * 60 + 38, weekday: 5 }],
    ['2026-11-20T23:00:00Z', BERLIN, { day: '2026-11-21', minute: 0, weekday: 6 }],
    ['2026-11-20T22:59:59.999Z', BERLIN, { day: '2026-11-20', minute: 1_439, weekday: 5 }],
    ['2026-11-22T18:20:00Z', 'Asia/Kathmandu', { day: '2026-11-23', minute: 5, weekday: 1 }],
    ['2026-01-01T02:30:00Z', 'America/New_York', { day: '2025-12-31', minute: 21 * 60 + 30, weekday: 3 }],
    ['2026-01-01T00:00:00Z', 'Australia/Lord_Howe', { day: '2026-01-01', minute: 11 * 60, weekday: 4 }],
  ])('of %s in %s is %o', (at, timezone, expected) => {
    expect(localTime(Date.parse(at), timezone)).toEqual(expected);
  });

  it.each([
    ['an ordinary morning', '2026-11-20', 9 * 60, BERLIN, '2026-11-20T08:00:00.000Z'],
    ['a minute that is skipped', '2026-03-29', 2 * 60 + 30, BERLIN, '2026-03-29T01:00:00.000Z'],
    ['the hour after the gap', '2026-03-29', 3 * 60, BERLIN, '2026-03-29T01:00:00.000Z'],
    ['the minute before the gap', '2026-03-29', 1 * 60 + 59, BERLIN, '2026-03-29T00:59:00.000Z'],
    ['a minute that comes twice', '2026-10-25', 2 * 60 + 30, BERLIN, '2026-10-25T00:30:00.000Z'],
    ['the hour after both', '2026-10-25', 3 * 60, BERLIN, '2026-10-25T02:00:00.000Z'],
    ['half an hour skipped', '2026-10-04', 2 * 60 + 15, 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    [
      'half an hour that comes twice',
      '2026-04-05',
      1 * 60 + 45,
      'Australia/Lord_Howe',
      '2026-04-04T14:45:00.000Z',
    ],
    ['a gap that reaches midnight', '2026-03-28', 23 * 60 + 30, 'America/Nuuk', '2026-03-29T01:00:00.000Z'],
  ])('%s', (_, day, minute, timezone, expected) => {
    expect(iso(localTimeToInstant(day, minute, timezone))).toBe(expected);
  });

  it('shows a minute at the instant found for it, for the first time, unless the clocks skip it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 0, max: 1_439 }),
        (timezone, days, minute) => {
          const day = addDays('2024-01-01', days);
          const at = localTimeToInstant(day, minute, timezone);
          const shown = localTime(at, timezone);
          const before = localTime(at - MINUTE, timezone);
          expect([shown.day, shown.minute] >= [day, minute]).toBe(true);
          if (shown.day === day) expect(shown.minute).toBeGreaterThanOrEqual(minute);
          expect(before.day < day || before.minute < minute).toBe(true);
        },
      ),
    );
  });

  it('names the same instant again, but for an hour that comes twice', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 3_000 * 1_440 }),
        (timezone, minutes) => {
          const at = Date.parse('2024-01-01T00:00:00Z') + minutes * MINUTE;
          const { day, minute } = localTime(at, timezone);
          expect([at, at - 60 * MINUTE, at - 30 * MINUTE]).toContain(
            localTimeToInstant(day, minute, timezone),
          );
        },
      ),
    );
  });
});

it('days are counted over the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(daysBetween('2026-02-27', '2026-03-02')).toBe(3);
  expect(daysBetween('2026-03-02', '2026-02-27')).toBe(-3);
});

it('a zone is one that the machine knows', () => {
  expect(zones.every(isTimezone)).toBe(true);
  expect(['', 'Mars/Olympus', 'nine o’clock', 'Europe'].some(isTimezone)).toBe(false);
});
