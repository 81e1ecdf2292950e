import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { findQuietHoursEnd } from '../../src/feed/quiet-hours.ts';
import type { QuietHours } from '../../src/feed/records.ts';
import { localTime } from '../../src/schedule/local-time.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);

function until(quiet: QuietHours, when: string, timezone = BERLIN): string | undefined {
  const found = findQuietHoursEnd({ quiet, timezone }, 'UTC', at(when));
  return found === undefined ? undefined : new Date(found).toISOString().slice(0, 16);
}

const night: QuietHours = { from: 20 * 60, to: 8 * 60, weekends: false };
const noon: QuietHours = { from: 12 * 60, to: 13 * 60, weekends: false };
const nightAndWeekend: QuietHours = { ...night, weekends: true };
const weekend: QuietHours = { from: 0, to: 0, weekends: true };

describe('quiet hours', () => {
  it.each<readonly [string, QuietHours, string, string | undefined]>([
    ['begin by the wall clock of the zone', night, '2026-11-19T19:00Z', '2026-11-20T07:00'],
    ['have not begun a minute before', night, '2026-11-19T18:59Z', undefined],
    ['go on after midnight', night, '2026-11-20T02:00Z', '2026-11-20T07:00'],
    ['are over at their end', night, '2026-11-20T07:00Z', undefined],
    ['may lie within a day', noon, '2026-11-20T11:30Z', '2026-11-20T12:00'],
    ['of a weekend end on Monday', weekend, '2026-11-21T11:00Z', '2026-11-22T23:00'],
    ['of a weekend begin on Saturday', weekend, '2026-11-20T22:59Z', undefined],
    [
      'of a Friday night, a weekend and a Sunday night are one',
      nightAndWeekend,
      '2026-11-20T19:30Z',
      '2026-11-23T07:00',
    ],
    ['of nothing are never', { from: 480, to: 480, weekends: false }, '2026-11-20T07:00Z', undefined],
    // In the night to 29 March 2026 clocks go from 2:00 to 3:00.
    ['end by the new time in the night of spring', night, '2026-03-28T19:00Z', '2026-03-29T06:00'],
    [
      'that end in the hour which is left out end with what follows it',
      { from: 60, to: 150, weekends: false },
      '2026-03-29T00:30Z',
      '2026-03-29T01:00',
    ],
    [
      'within the hour which is left out are none',
      { from: 130, to: 170, weekends: false },
      '2026-03-29T01:00Z',
      undefined,
    ],
    // In the night to 25 October 2026 they go from 3:00 to 2:00.
    ['end by the new time in the night of autumn', night, '2026-10-24T18:00Z', '2026-10-25T07:00'],
    [
      'that end in the hour which comes twice end the first time',
      { from: 60, to: 150, weekends: false },
      '2026-10-25T00:10Z',
      '2026-10-25T00:30',
    ],
    [
      'are not begun again by the hour which comes twice',
      { from: 60, to: 150, weekends: false },
      '2026-10-25T01:10Z',
      undefined,
    ],
    [
      'that begin in the hour which comes twice begin the first time',
      { from: 150, to: 300, weekends: false },
      '2026-10-25T01:05Z',
      '2026-10-25T04:00',
    ],
  ])('%s', (_, quiet, when, end) => {
    expect(until(quiet, when)).toBe(end);
  });

  it('hold by the configured zone where the channel has none, or one that nobody knows', () => {
    const when = at('2026-11-20T19:30Z');
    expect(findQuietHoursEnd({ quiet: night }, BERLIN, when)).toBe(at('2026-11-21T07:00Z'));
    expect(findQuietHoursEnd({ quiet: night }, 'Pacific/Auckland', when)).toBeUndefined();
    expect(findQuietHoursEnd({ quiet: night, timezone: 'Mars/Base' }, BERLIN, when)).toBe(
      at('2026-11-21T07:00Z'),
    );
    expect(findQuietHoursEnd({}, BERLIN, when)).toBeUndefined();
  });

  const minute = fc.integer({ min: 0, max: 1_439 });
  const moments = fc.integer({ min: at('2026-03-20T00:00Z'), max: at('2026-11-10T00:00Z') });

  it('are over at their end, whatever the zone, and no sooner: the same is said all the way through', () => {
    fc.assert(
      fc.property(
        fc.record({ from: minute, to: minute, weekends: fc.boolean() }),
        fc.constantFrom(BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC'),
        moments,
        (quiet, timezone, when) => {
          const settings = { quiet, timezone };
          const end = findQuietHoursEnd(settings, 'UTC', when);
          if (end === undefined) return;
          expect(end).toBeGreaterThan(when);
          expect(end - when).toBeLessThanOrEqual(9 * DAY);
          expect(findQuietHoursEnd(settings, 'UTC', end)).toBeUndefined();
          for (const part of [0.25, 0.5, 0.99])
            expect(findQuietHoursEnd(settings, 'UTC', when + Math.floor((end - when) * part))).toBe(end);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are what the wall clock shows, on days on which no clocks are moved', () => {
    fc.assert(
      fc.property(minute, minute, fc.integer({ min: 0, max: 20 * DAY }), (from, to, after) => {
        const when = Math.floor((at('2026-07-01T00:00Z') + after) / MINUTE) * MINUTE;
        const { minute: now } = localTime(when, BERLIN);
        const isNight = from > to ? now >= from || now < to : now >= from && now < to;
        const end = findQuietHoursEnd(
          { quiet: { from, to, weekends: false }, timezone: BERLIN },
          'UTC',
          when,
        );
        expect(end !== undefined).toBe(isNight);
        if (end !== undefined) expect(localTime(end, BERLIN).minute).toBe(to);
        if (end !== undefined) expect(end - when).toBeLessThan(24 * HOUR);
      }),
      { numRuns: 300 },
    );
  });
});
