import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { addWorkingTime, isWorkingTime, type WorkingHours } from '../../src/response/working-time.ts';

const BERLIN = 'Europe/Berlin';
const OFFICE: WorkingHours = {
  hours: { from: 9 * 60, to: 17 * 60 },
  days: [1, 2, 3, 4, 5],
  timezone: BERLIN,
};
const at = (text: string) => Date.parse(text);

describe('working time', () => {
  it.each([
    // A Friday in winter: Berlin is an hour ahead of UTC.
    ['within a day', '2026-02-06T09:00:00Z', 30, '2026-02-06T09:30:00Z'],
    ['over a weekend', '2026-02-06T15:50:00Z', 30, '2026-02-09T08:20:00Z'],
    ['from a Sunday', '2026-02-08T12:00:00Z', 10, '2026-02-09T08:10:00Z'],
    ['to the very end of a day: when work begins again', '2026-02-06T15:30:00Z', 30, '2026-02-09T08:00:00Z'],
    // Clocks go forward on Sunday, March 29: 9:00 is 7:00 UTC from then on.
    ['over the night when clocks go forward', '2026-03-27T15:50:00Z', 30, '2026-03-30T07:20:00Z'],
    ['over the night when clocks go back', '2026-10-23T14:50:00Z', 30, '2026-10-26T08:20:00Z'],
  ])('ends %s', (_, start, minutes, end) => {
    expect(addWorkingTime(at(start), minutes * MINUTE, OFFICE)).toBe(at(end));
  });

  it('knows night shifts, whole days, and hours that a night skips or repeats', () => {
    const night: WorkingHours = { hours: { from: 22 * 60, to: 6 * 60 }, days: [5], timezone: 'UTC' };
    expect(addWorkingTime(at('2026-02-06T23:00:00Z'), 6 * HOUR, night)).toBe(at('2026-02-07T05:00:00Z'));
    expect(isWorkingTime(at('2026-02-07T06:00:00Z'), night)).toBe(false);
    const always: WorkingHours = { days: [1, 2, 3, 4, 5, 6, 7], timezone: BERLIN };
    expect(addWorkingTime(at('2026-03-28T23:00:00Z'), DAY, always)).toBe(at('2026-03-29T23:00:00Z'));
    const weekdays: WorkingHours = { days: OFFICE.days, timezone: BERLIN };
    expect(addWorkingTime(at('2026-02-06T22:50:00Z'), HOUR, weekdays)).toBe(at('2026-02-08T23:50:00Z'));
    const daily: WorkingHours = { ...OFFICE, days: always.days };
    expect(addWorkingTime(at('2026-02-06T15:50:00Z'), HOUR, daily)).toBe(at('2026-02-07T08:50:00Z'));
    // 2:00 to 3:00 doesn't exist on March 29, and lasts two hours on October 25.
    const small: WorkingHours = { hours: { from: 120, to: 180 }, days: [7], timezone: BERLIN };
    expect(addWorkingTime(at('2026-03-28T12:00:00Z'), MINUTE, small)).toBe(at('2026-04-05T00:01:00Z'));
    expect(addWorkingTime(at('2026-10-24T12:00:00Z'), 90 * MINUTE, small)).toBe(at('2026-10-25T01:30:00Z'));
  });

  const work = fc.record({
    hours: fc.option(
      fc
        .record({ from: fc.integer({ min: 0, max: 1439 }), to: fc.integer({ min: 0, max: 1439 }) })
        .filter(({ from, to }) => (to - from + 1440) % 1440 >= 60),
      { nil: undefined },
    ),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    timezone: fc.constantFrom(BERLIN, 'UTC', 'America/New_York', 'Australia/Lord_Howe'),
  });
  const start = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2026-12-31T00:00:00Z') });
  const span = fc.integer({ min: 0, max: 5 * HOUR });

  it('is never outside working hours, never early, adds up, and keeps the order', () => {
    fc.assert(
      fc.property(work, start, span, span, (hours, from, first, second) => {
        const end = addWorkingTime(from, first, hours);
        expect(isWorkingTime(end, hours)).toBe(true);
        expect(end).toBeGreaterThanOrEqual(from + first);
        expect(addWorkingTime(end, second, hours)).toBe(addWorkingTime(from, first + second, hours));
        expect(addWorkingTime(from + second, first, hours)).toBeGreaterThanOrEqual(end);
      }),
      { numRuns: 300 },
    );
  });
});
