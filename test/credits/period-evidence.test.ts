/** What the clock and dates in answers do to billing periods, at the exact moments where it changes. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import {
  advanceBillingPeriods,
  assessPeriodEvidence,
  type BillingPeriods,
  buildInitialBillingPeriod,
  type PeriodEvidence,
} from '../../src/credits/billing-periods.ts';

const day = (month: number, date: number) => Date.UTC(2026, month - 1, date);
const RISEN = { hasRisen: true };
const ENDS = day(1, 20);
const LATER = day(2, 9);

let seq = 0;
function answer(namedResetAt: number | undefined, at: number, change: Partial<PeriodEvidence> = {}) {
  seq += 2;
  return { namedResetAt, at, openedSeq: seq - 1, seq, isEarly: false, hasRisen: false, ...change };
}
function assess(periods: BillingPeriods, evidence: PeriodEvidence) {
  return assessPeriodEvidence(advanceBillingPeriods(periods, evidence.at), evidence);
}
function weigh(periods: BillingPeriods, ...evidence: readonly PeriodEvidence[]): BillingPeriods {
  return evidence.reduce((now, each) => assess(now, each).periods, periods);
}

/** One answer has named the end. */
const first = () => weigh({ period: buildInitialBillingPeriod(day(1, 5)) }, answer(ENDS, day(1, 5)));
/** Two answers have. */
const agreed = () => weigh(first(), answer(ENDS, day(1, 5)));
/** The clock has reached the end. */
const rolled = () => advanceBillingPeriods(agreed(), ENDS);
/** A later date and a risen balance have begun a period, in doubt. */
const begun = () => weigh(agreed(), answer(LATER, day(1, 6), RISEN));
/** Two answers a day apart have. */
const sure = () => weigh(agreed(), answer(LATER, day(1, 6)), answer(LATER, day(1, 7)));

describe('the clock', () => {
  test('ends a month at its last moment', () => {
    const assumed = { period: buildInitialBillingPeriod(day(1, 5)) };
    expect(advanceBillingPeriods(assumed, day(4, 1)).period).toMatchObject({
      number: 4,
      startsAt: day(4, 1),
    });
  });

  test('set back by up to ten minutes keeps what was counted since', () => {
    expect(advanceBillingPeriods(rolled(), ENDS - 10 * MINUTE)).toMatchObject({
      period: { number: 1 },
      other: { number: 2 },
    });
    expect(advanceBillingPeriods(rolled(), ENDS - 10 * MINUTE - 1).other).toBeUndefined();
  });

  test('alone never proves a period: one in doubt goes on for another month', () => {
    const next = advanceBillingPeriods(rolled(), day(2, 20));
    expect(next).toMatchObject({
      period: { number: 2, startsAt: ENDS, resetsAt: day(3, 20), confirmed: false },
      other: { number: 1, resetsAt: ENDS },
      doubt: { since: ENDS },
    });
  });

  test('leaves a doubt again where the server named dates before', () => {
    const undated = weigh(rolled(), answer(undefined, ENDS + DAY));
    expect(undated.doubt).toBeUndefined();
    expect(advanceBillingPeriods(undated, day(2, 20))).toMatchObject({
      period: { number: 3 },
      doubt: { since: day(2, 20) },
    });
  });

  test('begins a claimed period at the end of the one before; another date may still replace it', () => {
    const claimed = advanceBillingPeriods(weigh(agreed(), answer(LATER, day(1, 6))), ENDS);
    expect(claimed.period).toMatchObject({ number: 2, resetsAt: LATER });
    expect(weigh(claimed, answer(day(2, 15), ENDS + 1)).period).toMatchObject({ resetsAt: day(2, 15) });
  });

  test('begins none that was claimed before another date', () => {
    const twice = weigh(agreed(), answer(LATER, day(1, 6)), answer(ENDS - 4 * DAY, day(1, 7)));
    expect(advanceBillingPeriods(twice, ENDS).period).toMatchObject({ number: 3, resetsAt: day(2, 20) });
  });
});

describe('a balance', () => {
  test('that rose ends a doubt from the moment of the reset', () => {
    expect(weigh(rolled(), answer(undefined, ENDS, RISEN)).doubt).toBeUndefined();
  });

  test('that rose begins no period with a date that is at most a day later', () => {
    for (const named of [ENDS + 3 * HOUR, ENDS + DAY])
      expect(weigh(agreed(), answer(named, day(1, 6), RISEN)).period.number).toBe(1);
  });
});

describe('a date', () => {
  test('an hour off agrees with the one before', () => {
    const agreedOn = weigh(first(), answer(ENDS + HOUR, day(1, 5)));
    expect(weigh(agreedOn, answer(day(1, 25), day(1, 6))).period.resetsAt).toBe(ENDS);
  });

  test('named twice moves the end by as much as a period may last', () => {
    const most = day(1, 24);
    const moved = weigh(agreed(), answer(most, day(1, 6)), answer(most, day(1, 7)));
    expect(moved.period).toMatchObject({ number: 1, resetsAt: most });
  });

  test('that is earlier claims no new period', () => {
    expect(weigh(agreed(), answer(ENDS - 4 * DAY, day(1, 6))).other).toBeUndefined();
  });

  test('of a third period leaves the first to return while that has not ended', () => {
    const third = weigh(sure(), answer(LATER + 2 * DAY, day(1, 8)));
    expect(third).toMatchObject({ period: { number: 2 }, other: { number: 1 } });
  });

  test('other than the one that began a period proves it only once the period before is over', () => {
    const other = day(2, 5);
    expect(weigh(begun(), answer(other, day(1, 7))).doubt).toBeDefined();
    expect(weigh(begun(), answer(other, ENDS - 1)).doubt).toBeDefined();
    expect(weigh(begun(), answer(other, ENDS)).doubt).toBeUndefined();
  });
});

describe('the old date', () => {
  test('at the very reset is late, and returns nothing', () => {
    const late = assess(rolled(), answer(ENDS, ENDS));
    expect(late).toMatchObject({ namedPeriod: 'previous', periods: { period: { number: 2 } } });
    expect(late.periods.doubt).toBeDefined();
  });

  test('after the next was named is late, too', () => {
    const named = weigh(rolled(), answer(day(2, 20), ENDS));
    expect(assess(named, answer(ENDS, ENDS + 1))).toEqual({ namedPeriod: 'previous', periods: named });
    const days = advanceBillingPeriods(named, ENDS + 3 * DAY);
    expect(assess(named, answer(ENDS, ENDS + 3 * DAY))).toEqual({ namedPeriod: 'previous', periods: days });
    expect(assess(named, answer(ENDS + DAY, ENDS + 3 * DAY)).namedPeriod).toBe('unknown');
  });

  test('before the reset is the present one’s in a doubt, and else the former one’s', () => {
    expect(assess(begun(), answer(ENDS, day(1, 8))).namedPeriod).toBe('current');
    expect(assess(sure(), answer(ENDS, day(1, 8))).namedPeriod).toBe('previous');
  });

  test('or one before it is known as such without a record of the old period', () => {
    const { period } = sure();
    const at = day(1, 8);
    for (const named of [ENDS - DAY + 1, at, at - DAY])
      expect(assess({ period }, answer(named, at)).namedPeriod).toBe('previous');
    expect(assess({ period }, answer(ENDS - DAY, at)).namedPeriod).toBe('current');
  });
});

describe('a period stored by a clock that ran ahead', () => {
  const ahead = { ...buildInitialBillingPeriod(day(9, 1)), number: 9 };

  test('is corrected by a date to come, not by one that is past or now', () => {
    const at = day(1, 6);
    expect(assess({ period: ahead }, answer(ENDS, at)).namedPeriod).toBe('current');
    for (const named of [at - DAY, at])
      expect(assess({ period: ahead }, answer(named, at)).periods.period).toEqual(ahead);
  });

  test('by a day or less began when it says', () => {
    const named = assess({ period: ahead }, answer(day(9, 20), day(8, 31))).periods.period;
    expect(named).toMatchObject({ resetsAt: day(9, 20), openedAt: day(9, 1) });
  });
});
