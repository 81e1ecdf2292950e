import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../src/clock.ts';
import { forecastRunOut } from '../../src/credits/forecast.ts';
import { addMonths, firstPeriod, readResetDate, rollPeriod } from '../../src/credits/periods.ts';
import { judge } from '../../src/credits/reckoning.ts';
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

describe('a remainder', () => {
  const party = (channel: string, ahead: number, cap = Number.POSITIVE_INFINITY) => ({
    channel: ChannelId.parse(channel),
    cap,
    ahead,
  });

  test('puts who pays it ahead of the others, by what it paid beyond their mean', () => {
    const paid = split(10, [party('CA', 0), party('CB', 0), party('CC', 0)]);
    expect(paid.map(({ credits }) => credits)).toEqual([4, 3, 3]);
    expect(paid.map(({ ahead }) => ahead)).toEqual([0.666667, -0.333333, -0.333333]);
  });

  test('goes to who is least ahead', () => {
    const paid = split(3, [party('CA', 0.5), party('CB', -0.5)]);
    expect(paid).toMatchObject([
      { credits: 1, ahead: 0 },
      { credits: 2, ahead: 0 },
    ]);
  });

  test('is nothing to whoever could pay no more', () => {
    const paid = split(5, [party('CA', 0), party('CB', 0.5, 1)]);
    expect(paid).toMatchObject([
      { credits: 4, ahead: 0 },
      { credits: 1, ahead: 0.5 },
    ]);
  });
});

describe('a judgement', () => {
  const tally = { base: 100, consumed: 10, lowest: 70, openedAs: 5 };
  const lost = [
    { id: 'a', amount: 15, givenUpAs: 4 },
    { id: 'b', amount: 15, givenUpAs: 3 },
  ];

  test('finds what the lost have cost, the oldest first, and what others have spent', () => {
    expect(judge(tally, 0, lost)).toMatchObject({
      kind: 'proven',
      tally: { base: 70, consumed: 0 },
      costs: [
        { id: 'a', credits: 15 },
        { id: 'b', credits: 5 },
      ],
      outside: 0,
    });
    expect(judge(tally, 0, [])).toMatchObject({ kind: 'proven', outside: 20 });
  });

  test('waits for what is under way, for a balance, and for answers younger than what they judge', () => {
    const { lowest: _, ...blind } = tally;
    const { openedAs: __, ...placeless } = tally;
    expect(judge(tally, 1, []).kind).toBe('wait');
    expect(judge(blind, 0, []).kind).toBe('wait');
    expect(judge(placeless, 0, []).kind).toBe('wait');
    expect(judge({ ...tally, silentAs: 6 }, 0, []).kind).toBe('wait');
    expect(judge({ ...tally, silentAs: 5 }, 0, []).kind).toBe('proven');
    expect(judge(tally, 0, [{ id: 'c', amount: 1, givenUpAs: 6 }]).kind).toBe('wait');
    expect(judge(tally, 0, [{ id: 'c', amount: 1, givenUpAs: 5 }]).kind).toBe('proven');
  });

  test('proves nothing without a base, or where the balance has risen', () => {
    const { base: _, ...first } = tally;
    expect(judge(first, 0, lost)).toEqual({ kind: 'unproven', tally: { base: 70, consumed: 0 } });
    expect(judge({ ...tally, lowest: 91 }, 0, lost).kind).toBe('unproven');
    expect(judge({ ...tally, lowest: 90 }, 0, lost).kind).toBe('proven');
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

  test('begins with the sixth hour, and ends with the reset', () => {
    const since = day(1, 1);
    expect(forecastRunOut(spending, since + 6 * HOUR)).toBe(since + 15 * HOUR);
    expect(forecastRunOut({ ...spending, resetsAt: day(1, 11) }, day(1, 5))).toBeUndefined();
    expect(forecastRunOut({ ...spending, resetsAt: day(1, 11) + 1 }, day(1, 5))).toBe(day(1, 11));
    expect(forecastRunOut({ ...spending, spent: 0, left: 0 }, day(1, 5))).toBeUndefined();
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

  test('has begun a month before the first date told, but not after that was told', () => {
    const told = (reset: number) => readResetDate(firstPeriod(day(1, 5)), reset, day(1, 5)).period;
    expect(told(day(1, 20))).toMatchObject({ startsAt: Date.UTC(2025, 11, 20), openedAt: day(1, 5) });
    expect(told(day(3, 20))).toMatchObject({ startsAt: day(1, 5) });
  });

  test('that followed another begins at its end, whatever date is told then', () => {
    const rolled = rollPeriod(firstPeriod(day(1, 5)), day(2, 3));
    const { period } = readResetDate(rolled, day(3, 10), day(2, 3));
    expect(period).toMatchObject({ number: 2, startsAt: day(2, 1), resetsAt: day(3, 10), confirmed: true });
  });

  test('is told from the one before, and from the next, by more than a day', () => {
    const first = readResetDate(firstPeriod(day(1, 5)), day(1, 20), day(1, 5)).period;
    const next = readResetDate(first, day(1, 21) + 1, day(1, 6)).period;
    expect(readResetDate(first, day(1, 21), day(1, 6)).period).toMatchObject({ number: 1 });
    expect(next).toMatchObject({ number: 2, confirmed: true, previousEnd: day(1, 20), openedAt: day(1, 6) });
    expect(readResetDate(next, day(1, 21) - 1, day(1, 6)).speaksOf).toBe('previous');
    expect(readResetDate(next, day(1, 21), day(1, 6)).speaksOf).toBe('current');
  });

  test('that begins more than a day ahead was begun by a wrong clock, and starts anew with what is told', () => {
    const ahead = rollPeriod(readResetDate(firstPeriod(day(1, 5)), day(1, 20), day(1, 5)).period, day(9, 1));
    const { startsAt } = ahead;
    const told = startsAt + 10 * DAY;
    expect(readResetDate(ahead, told, startsAt - DAY - 1).period).toMatchObject({
      startsAt: Math.min(addMonths(told, -1), startsAt - DAY - 1),
      openedAt: Math.min(addMonths(told, -1), startsAt - DAY - 1),
      confirmed: true,
    });
    expect(readResetDate(ahead, told, startsAt - DAY).period.startsAt).toBe(startsAt);
    const early = startsAt - DAY - 1;
    expect(readResetDate(ahead, early, early)).toMatchObject({ speaksOf: 'previous', period: ahead });
  });

  test('is not changed by a date that is just now', () => {
    const period = firstPeriod(day(1, 5));
    expect(readResetDate(period, day(1, 5), day(1, 5))).toEqual({ speaksOf: 'unknown', period });
  });

  test('is not changed by a date that is over or missing', () => {
    const period = firstPeriod(day(1, 5));
    expect(readResetDate(period, day(1, 5) - DAY, day(1, 5))).toEqual({ speaksOf: 'unknown', period });
    expect(readResetDate(period, undefined, day(1, 5))).toEqual({ speaksOf: 'unknown', period });
  });
});
