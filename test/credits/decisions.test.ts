import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/clock.ts';
import { forecastRunOut } from '../../src/credits/forecast.ts';
import { addMonths, firstPeriod, readResetDate, rollPeriod } from '../../src/credits/periods.ts';
import { split } from '../../src/credits/split.ts';
import { ChannelId } from '../../src/ids.ts';

const day = (month: number, date: number) => Date.UTC(2026, month - 1, date);

describe('a split', () => {
  const parties = fc.array(
    fc.record({
      cap: fc.oneof(fc.nat(40), fc.constant(Number.POSITIVE_INFINITY)),
      ahead: fc.integer({ min: -2, max: 2 }),
    }),
    { minLength: 1, maxLength: 6 },
  );

  test('is whole, complete, and within every cap; what is charged stays within what was reserved', () => {
    fc.assert(
      fc.property(parties, fc.nat(100), fc.nat(100), (facts, amount, charged) => {
        const all = facts.map((fact, place) => ({ ...fact, channel: ChannelId.parse(`C${place}`) }));
        const room = all.reduce((sum, { cap }) => sum + cap, 0);
        const reserved = split(amount, all);
        expect(reserved.reduce((sum, { credits }) => sum + credits, 0)).toBe(Math.min(amount, room));
        for (const [place, { credits }] of reserved.entries()) {
          expect(Number.isInteger(credits)).toBe(true);
          expect(credits).toBeLessThanOrEqual(all[place]?.cap ?? 0);
        }
        const held = reserved.map(({ channel, credits }) => ({ channel, cap: credits, ahead: 0 }));
        const paid = split(Math.min(charged, amount, room), held);
        expect(paid.every(({ credits }, place) => credits <= (reserved[place]?.credits ?? 0))).toBe(true);
      }),
    );
  });

  test('leaves no one more than a credit behind who could have paid more', () => {
    fc.assert(
      fc.property(parties, fc.nat(100), (facts, amount) => {
        const all = facts.map((fact, place) => ({ ...fact, channel: ChannelId.parse(`C${place}`) }));
        const paid = split(amount, all);
        const most = Math.max(...paid.map(({ credits }) => credits));
        for (const [place, { credits }] of paid.entries())
          if (credits < (all[place]?.cap ?? 0)) expect(credits).toBeGreaterThanOrEqual(most - 1);
      }),
    );
  });
});

describe('a forecast', () => {
  const spending = { spent: 40, left: 60, since: day(1, 1), resetsAt: day(2, 1) };

  test('goes on at the pace so far', () => {
    expect(forecastRunOut(spending, day(1, 5))).toBe(day(1, 11));
  });

  test('says nothing when the reset comes first, when nothing was spent, or too early', () => {
    expect(forecastRunOut({ ...spending, left: 400 }, day(1, 5))).toBeUndefined();
    expect(forecastRunOut({ ...spending, spent: 0 }, day(1, 5))).toBeUndefined();
    expect(forecastRunOut(spending, day(1, 1) + 6 * HOUR - 1)).toBeUndefined();
    expect(forecastRunOut({ ...spending, left: Number.POSITIVE_INFINITY }, day(1, 5))).toBeUndefined();
  });

  test('of what is used up is now', () => {
    expect(forecastRunOut({ ...spending, left: -3 }, day(1, 5))).toBe(day(1, 5));
  });
});

describe('a period', () => {
  test('a month on is the same day, or the last one of a shorter month', () => {
    expect(addMonths(day(1, 31), 1)).toBe(day(2, 28));
    expect(addMonths(day(12, 15), 1)).toBe(day(13, 15));
    expect(addMonths(day(3, 31), -1)).toBe(day(2, 28));
  });

  test('rolls over as often as months have passed', () => {
    const later = rollPeriod(firstPeriod(day(1, 5)), day(4, 20));
    expect(later).toMatchObject({ number: 4, startsAt: day(4, 1), resetsAt: day(5, 1), confirmed: false });
  });

  test('takes a nearby date for a correction, a distant one for a new period, the last one for a late answer', () => {
    const first = readResetDate(firstPeriod(day(1, 5)), day(1, 20), day(1, 5)).period;
    expect(first).toMatchObject({ number: 1, resetsAt: day(1, 20), confirmed: true });
    const corrected = readResetDate(first, day(1, 20) + HOUR, day(1, 6));
    expect(corrected).toMatchObject({
      speaksOf: 'current',
      period: { number: 1, resetsAt: day(1, 20) + HOUR },
    });
    const second = readResetDate(first, day(2, 20), day(1, 19)).period;
    expect(second).toMatchObject({ number: 2, startsAt: day(1, 19), resetsAt: day(2, 20) });
    expect(readResetDate(second, day(1, 20), day(1, 19))).toMatchObject({
      speaksOf: 'previous',
      period: second,
    });
  });

  test('that a clock ahead of time has begun is set right by the date told once the clock is', () => {
    const ahead = rollPeriod(readResetDate(firstPeriod(day(1, 5)), day(1, 20), day(1, 5)).period, day(9, 1));
    expect(readResetDate(ahead, day(1, 20), day(1, 6))).toMatchObject({
      speaksOf: 'current',
      period: { number: ahead.number, resetsAt: day(1, 20), confirmed: true },
    });
  });

  test('is not changed by a date that is over or missing', () => {
    const period = firstPeriod(day(1, 5));
    expect(readResetDate(period, day(1, 5) - DAY, day(1, 5))).toEqual({ speaksOf: 'unknown', period });
    expect(readResetDate(period, undefined, day(1, 5))).toEqual({ speaksOf: 'unknown', period });
  });
});
