import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { forecastRunOut, reconcileBalance } from '../../src/credits/balance.ts';
import {
  addMonths,
  advanceBillingPeriods,
  assessPeriodEvidence,
  type BillingPeriods,
  buildInitialBillingPeriod,
  type PeriodEvidence,
} from '../../src/credits/billing-periods.ts';
import { splitCost } from '../../src/credits/charging.ts';
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
        const reserved = splitCost(amount, all);
        expect(reserved.reduce((sum, { credits }) => sum + credits, 0)).toBe(Math.min(amount, room));
        for (const [place, { credits }] of reserved.entries()) {
          expect(Number.isInteger(credits)).toBe(true);
          expect(credits).toBeLessThanOrEqual(all[place]?.cap ?? 0);
        }
        const held = reserved.map(({ channel, credits }) => ({ channel, cap: credits, ahead: 0 }));
        const paid = splitCost(Math.min(charged, amount, room), held);
        expect(paid.every(({ credits }, place) => credits <= (reserved[place]?.credits ?? 0))).toBe(true);
      }),
    );
  });

  test('leaves no one more than a credit behind who could have paid more', () => {
    fc.assert(
      fc.property(parties, fc.nat(100), (facts, amount) => {
        const all = facts.map((fact, place) => ({ ...fact, channel: ChannelId.parse(`C${place}`) }));
        const paid = splitCost(amount, all);
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
    const paid = splitCost(10, [party('CA', 0), party('CB', 0), party('CC', 0)]);
    expect(paid.map(({ credits }) => credits)).toEqual([4, 3, 3]);
    expect(paid.map(({ ahead }) => ahead)).toEqual([0.666667, -0.333333, -0.333333]);
  });

  test('goes to who is least ahead', () => {
    const paid = splitCost(3, [party('CA', 0.5), party('CB', -0.5)]);
    expect(paid).toMatchObject([
      { credits: 1, ahead: 0 },
      { credits: 2, ahead: 0 },
    ]);
  });

  test('is nothing to whoever could pay no more', () => {
    const paid = splitCost(5, [party('CA', 0), party('CB', 0.5, 1)]);
    expect(paid).toMatchObject([
      { credits: 4, ahead: 0 },
      { credits: 1, ahead: 0.5 },
    ]);
  });
});

describe('a judgement', () => {
  const tally = { base: 100, consumed: 10, lowest: 70, openedSeq: 5 };
  const lost = [
    { id: 'a', amount: 15, lostSeq: 4 },
    { id: 'b', amount: 15, lostSeq: 3 },
  ];

  test('finds what the lost have cost, the oldest first, and what others have spent', () => {
    expect(reconcileBalance(tally, 0, lost)).toMatchObject({
      kind: 'proven',
      tally: { base: 70, consumed: 0 },
      costs: [
        { id: 'a', credits: 15 },
        { id: 'b', credits: 5 },
      ],
      outside: 0,
    });
    expect(reconcileBalance(tally, 0, [])).toMatchObject({ kind: 'proven', outside: 20 });
  });

  test('waits for what is under way, for a balance, and for answers younger than what they judge', () => {
    const { lowest: _, ...blind } = tally;
    const { openedSeq: __, ...placeless } = tally;
    expect(reconcileBalance(tally, 1, []).kind).toBe('wait');
    expect(reconcileBalance(blind, 0, []).kind).toBe('wait');
    expect(reconcileBalance(placeless, 0, []).kind).toBe('wait');
    expect(reconcileBalance({ ...tally, lastSilentSeq: 6 }, 0, []).kind).toBe('wait');
    expect(reconcileBalance({ ...tally, lastSilentSeq: 5 }, 0, []).kind).toBe('proven');
    expect(reconcileBalance(tally, 0, [{ id: 'c', amount: 1, lostSeq: 6 }]).kind).toBe('wait');
    expect(reconcileBalance(tally, 0, [{ id: 'c', amount: 1, lostSeq: 5 }]).kind).toBe('proven');
  });

  test('proves nothing without a base, or where the balance has risen', () => {
    const { base: _, ...first } = tally;
    expect(reconcileBalance(first, 0, lost)).toEqual({ kind: 'unproven', tally: { base: 70, consumed: 0 } });
    expect(reconcileBalance({ ...tally, lowest: 91 }, 0, lost).kind).toBe('unproven');
    expect(reconcileBalance({ ...tally, lowest: 90 }, 0, lost).kind).toBe('proven');
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
    expect(forecastRunOut({ ...spending, left: 140 }, day(1, 1) + 6 * HOUR - 1)).toBeUndefined();
    expect(forecastRunOut({ ...spending, left: Number.POSITIVE_INFINITY }, day(1, 5))).toBeUndefined();
  });

  test('begins with the sixth hour, and ends with the reset', () => {
    const since = day(1, 1);
    expect(forecastRunOut(spending, since + 6 * HOUR)).toBe(since + 15 * HOUR);
    expect(forecastRunOut({ ...spending, resetsAt: day(1, 11) }, day(1, 5))).toBeUndefined();
    expect(forecastRunOut({ ...spending, resetsAt: day(1, 11) + 1 }, day(1, 5))).toBe(day(1, 11));
    expect(forecastRunOut({ ...spending, spent: 0, left: 0 }, day(1, 5))).toBeUndefined();
  });

  test('comes early if the pace ends the credits within hours, but not from a first page alone', () => {
    const fast = { ...spending, spent: 100, left: 200 };
    expect(forecastRunOut(fast, fast.since + HOUR)).toBe(fast.since + 3 * HOUR);
    expect(forecastRunOut(fast, fast.since + 10 * MINUTE)).toBeUndefined();
    expect(forecastRunOut({ ...fast, spent: 10, left: 20 }, fast.since + HOUR)).toBeUndefined();
    expect(forecastRunOut({ ...fast, left: 2_000 }, fast.since + HOUR)).toBeUndefined();
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
    const { period, other, doubt } = advanceBillingPeriods(
      { period: buildInitialBillingPeriod(day(1, 5)) },
      day(4, 20),
    );
    expect(period).toMatchObject({ number: 4, startsAt: day(4, 1), resetsAt: day(5, 1), confirmed: false });
    expect(other?.number).toBe(1);
    expect(doubt).toBeUndefined();
  });
});

describe('a period whose end the server has named', () => {
  let seq = 0;
  const answer = (
    named: number | undefined,
    at: number,
    change: Partial<PeriodEvidence> = {},
  ): PeriodEvidence => {
    seq += 2;
    return { namedResetAt: named, at, openedSeq: seq - 1, seq, isEarly: false, hasRisen: false, ...change };
  };
  const weigh = (periods: BillingPeriods, ...evidence: readonly PeriodEvidence[]): BillingPeriods => {
    let now = periods;
    for (const each of evidence)
      now = assessPeriodEvidence(advanceBillingPeriods(now, each.at), each).periods;
    return now;
  };
  const ends = day(1, 20);
  const first = () => weigh({ period: buildInitialBillingPeriod(day(1, 5)) }, answer(ends, day(1, 5)));
  const agreed = () => weigh(first(), answer(ends, day(1, 5)));

  test('has begun a month before the first date named, but not after that was named', () => {
    expect(first().period).toMatchObject({
      number: 1,
      startsAt: Date.UTC(2025, 11, 20),
      openedAt: day(1, 5),
      confirmed: true,
    });
    const far = weigh({ period: buildInitialBillingPeriod(day(1, 5)) }, answer(day(2, 9), day(1, 5)));
    expect(far.period).toMatchObject({ startsAt: day(1, 5), resetsAt: day(2, 9) });
  });

  test('ignores a date that is past, now, missing, or farther away than a period is long', () => {
    const period = buildInitialBillingPeriod(day(1, 5));
    for (const named of [day(1, 4), day(1, 5), undefined, day(2, 9) + 1, Number.NaN])
      expect(assessPeriodEvidence({ period }, answer(named, day(1, 5)))).toEqual({
        namedPeriod: 'unknown',
        periods: { period },
      });
  });

  test('has the end named last, until two answers agree', () => {
    const replaced = weigh(first(), answer(day(1, 25), day(1, 6)));
    expect(replaced.period).toMatchObject({ number: 1, resetsAt: day(1, 25) });
    expect(weigh(agreed(), answer(day(1, 25), day(1, 6))).period.resetsAt).toBe(ends);
    const sentBefore = answer(ends, day(1, 5), { openedSeq: 0 });
    expect(weigh(first(), sentBefore, answer(day(1, 25), day(1, 6))).period.resetsAt).toBe(day(1, 25));
  });

  test('keeps its end if a date is an hour off, and moves it once two answers hours apart agree', () => {
    expect(weigh(agreed(), answer(ends + HOUR, day(1, 6))).period.resetsAt).toBe(ends);
    for (const other of [ends + 3 * HOUR, ends - 4 * DAY, ends + 2 * DAY]) {
      const once = weigh(agreed(), answer(other, day(1, 6)));
      expect(once.period).toMatchObject({ number: 1, resetsAt: ends });
      const again = day(1, 6) + 2 * HOUR;
      expect(weigh(once, answer(other, again - 1)).period.resetsAt).toBe(ends);
      expect(weigh(once, answer(other, again, { openedSeq: 0 })).period.resetsAt).toBe(ends);
      expect(weigh(once, answer(other + HOUR + 1, again)).period.resetsAt).toBe(ends);
      expect(weigh(once, answer(ends, again), answer(other, again)).period.resetsAt).toBe(ends);
      expect(weigh(once, answer(other, again)).period).toMatchObject({ number: 1, resetsAt: other });
    }
  });

  test('gives way to a claimed one once a second answer agrees, the balance rises, or it is due', () => {
    const later = day(2, 9);
    const claimed = weigh(agreed(), answer(later, day(1, 6)));
    expect(claimed).toMatchObject({ period: { number: 1 }, other: { number: 2, resetsAt: later } });
    const twice = weigh(claimed, answer(later, day(1, 7)));
    expect(twice).toMatchObject({ period: { number: 2, startsAt: day(1, 6), resetsAt: later } });
    expect(twice.doubt).toBeUndefined();
    for (const begun of [
      weigh(agreed(), answer(later, day(1, 6), { hasRisen: true })),
      weigh(agreed(), answer(later, day(1, 19))),
    ]) {
      expect(begun).toMatchObject({ period: { number: 2, resetsAt: later }, other: { number: 1 } });
      expect(begun.doubt).toBeDefined();
      const asked = begun.period.startsAt + 1;
      expect(weigh(begun, answer(later, asked, { openedSeq: 0 })).doubt).toBeDefined();
      expect(weigh(begun, answer(later, asked)).doubt).toBeUndefined();
      const back = weigh(begun, answer(ends, asked));
      expect(back).toMatchObject({ period: { number: 1, resetsAt: ends }, other: { number: 2 } });
      expect(back.doubt).toBeUndefined();
    }
  });

  test('is not followed by one whose date has moved on with time, though the balance has risen', () => {
    const rolled = answer(ends + 4 * DAY, day(1, 9), { hasRisen: true });
    expect(weigh(agreed(), rolled).period).toMatchObject({ number: 1, resetsAt: ends });
  });

  test('returns once two answers contradict its successor, which is entered again the same way', () => {
    const later = day(2, 9);
    const next = weigh(agreed(), answer(later, day(1, 6)), answer(later, day(1, 7)));
    const doubtful = weigh(next, answer(ends, day(1, 8)));
    expect(doubtful.period.number).toBe(2);
    const back = weigh(doubtful, answer(ends, day(1, 8)));
    expect(back).toMatchObject({ period: { number: 1, resetsAt: ends }, other: { number: 2 } });
    const again = weigh(back, answer(later, day(1, 9)), answer(later, day(1, 10)));
    expect(again).toMatchObject({ period: { number: 2, resetsAt: later } });
  });

  test('ends with its last day, in doubt until an answer names the next end', () => {
    const rolled = advanceBillingPeriods(agreed(), ends);
    expect(rolled).toMatchObject({
      period: { number: 2, startsAt: ends, confirmed: false },
      other: { number: 1 },
      doubt: { since: ends },
    });
    const named = weigh(rolled, answer(day(2, 20), ends));
    expect(named.period).toMatchObject({ number: 2, startsAt: ends, resetsAt: day(2, 20), confirmed: true });
    expect(named.doubt).toBeUndefined();
    expect(advanceBillingPeriods(named, ends + DAY - 1).other).toBeDefined();
    expect(advanceBillingPeriods(named, ends + DAY).other).toBeUndefined();
  });

  test('resumes if the clock goes back; after a small step back, its successor counts again', () => {
    const rolled = advanceBillingPeriods(agreed(), ends);
    const jitter = advanceBillingPeriods(rolled, ends - 1);
    expect(jitter.period).toMatchObject({ number: 1, resetsAt: ends });
    expect(advanceBillingPeriods(jitter, ends).period.number).toBe(2);
    const leap = advanceBillingPeriods(rolled, ends - HOUR);
    expect(leap.period).toMatchObject({ number: 1, resetsAt: ends });
    expect(leap.other).toBeUndefined();
  });

  test('stays in doubt while answers name the old end, or none, but for a risen balance or a day', () => {
    const rolled = advanceBillingPeriods(agreed(), ends);
    const late = assessPeriodEvidence(rolled, answer(ends, ends + 1));
    expect(late).toMatchObject({ namedPeriod: 'previous', periods: { doubt: { since: ends } } });
    expect(weigh(rolled, answer(ends, ends + 5 * DAY)).doubt).toBeDefined();
    const risen = weigh(rolled, answer(ends, ends + 1, { hasRisen: true }));
    expect(weigh(risen, answer(ends, ends + DAY - 1)).doubt).toBeDefined();
    expect(weigh(risen, answer(ends, ends + DAY)).doubt).toBeUndefined();
    expect(weigh(risen, answer(ends, ends + DAY, { isEarly: true })).doubt).toBeDefined();
    expect(weigh(rolled, answer(undefined, ends + DAY - 1)).doubt).toBeDefined();
    expect(weigh(rolled, answer(undefined, ends + DAY)).doubt).toBeUndefined();
    expect(weigh(rolled, answer(undefined, ends + 1, { hasRisen: true })).doubt).toBeUndefined();
  });

  test('named by one answer, goes on if it ends and the next is named, unless the balance rose', () => {
    const rolled = advanceBillingPeriods(first(), ends);
    const named = day(2, 10);
    expect(weigh(rolled, answer(named, ends)).period).toMatchObject({ number: 1, resetsAt: named });
    const risen = weigh(rolled, answer(named, ends, { hasRisen: true }));
    expect(risen.period).toMatchObject({ number: 2, resetsAt: named });
  });

  test('stored by a clock that ran ahead is corrected by the named date once the clock is right', () => {
    const ahead = { ...buildInitialBillingPeriod(day(9, 1)), number: 9 };
    expect(weigh({ period: ahead }, answer(ends, day(1, 6)))).toMatchObject({
      period: { number: 9, resetsAt: ends, confirmed: true, openedAt: Date.UTC(2025, 11, 20) },
    });
  });
});
