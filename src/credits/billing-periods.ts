/**
 * Billing periods: their calendar, and the effect of time. `assess-period-evidence.ts` has the effect of
 * responses. Pure.
 */

import { z } from 'zod';
import { omitUndefined } from '../base/omit-undefined.ts';
import { DAY, type Instant, MINUTE } from '../clock.ts';

export const BillingPeriod = z.object({
  /** Counts up; all spending belongs to one period. */
  number: z.number(),
  startsAt: z.number(),
  resetsAt: z.number(),
  /** The reset date comes from the server. */
  confirmed: z.boolean(),
  /** End of the previous period, if any: separates a late response of that period from a wrong date. */
  previousEnd: z.number().optional(),
  /** Start of our counting in this period. */
  openedAt: z.number(),
  /** When a response first had this end, or else an earlier period's end. Missing: the server sends none. */
  namedAt: z.number().optional(),
  /** Set while only one response has had this end: its position in the order of events. */
  namedOnceSeq: z.number().optional(),
});
export type BillingPeriod = z.infer<typeof BillingPeriod>;

/** A period began on weak evidence: spending must fit the previous period, too. */
export const PeriodUncertainty = z.object({
  since: z.number(),
  /** Start of the doubt in the order of events: only a request sent later can end it. */
  seq: z.number(),
  /** When we last asked the server at no cost. */
  askedAt: z.number().optional(),
  /** The balance rose, but a response had the old end. */
  hasRisen: z.literal(true).optional(),
});
export type PeriodUncertainty = z.infer<typeof PeriodUncertainty>;

/** One response had another end of the period. */
export const DifferingResetDate = z.object({ resetsAt: z.number(), at: z.number(), seq: z.number() });
export type DifferingResetDate = z.infer<typeof DifferingResetDate>;

/** The assumed billing period, and what later responses may prove instead. */
export interface BillingPeriods {
  readonly period: BillingPeriod;
  /** The previous period (smaller number), or one that a response claims has begun. Amounts count in both. */
  readonly other?: BillingPeriod | undefined;
  readonly doubt?: PeriodUncertainty | undefined;
  readonly claim?: DifferingResetDate | undefined;
}

/** Reset dates within a day are the same reset, from another clock or a late response. */
export const SAME_RESET_TOLERANCE_MS = DAY;

/** If the clock goes back by up to this, the begun period is kept. If by more, it never really began. */
const JITTER_MS = 10 * MINUTE;

/** The same day and time of another month, in UTC; the last day if the month is too short. */
export function addMonths(at: Instant, months: number): Instant {
  const date = new Date(at);
  const day = date.getUTCDate();
  const moved = new Date(at);
  moved.setUTCDate(1);
  moved.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, lastDay));
  return moved.getTime();
}

/** Before the first response: the calendar month in UTC. */
export function buildInitialBillingPeriod(at: Instant): BillingPeriod {
  const date = new Date(at);
  const startsAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  return { number: 1, startsAt, resetsAt: addMonths(startsAt, 1), confirmed: false, openedAt: at };
}

/** The period after `period` by the clock, assumed to last a month. */
function periodAfter(period: BillingPeriod, number: number): BillingPeriod {
  return {
    number,
    startsAt: period.resetsAt,
    resetsAt: addMonths(period.resetsAt, 1),
    confirmed: false,
    previousEnd: period.resetsAt,
    openedAt: period.resetsAt,
    ...omitUndefined({ namedAt: period.namedAt }),
  };
}

/** The previous period, if it may still return. */
export function findPreviousPeriod({ period, other }: BillingPeriods): BillingPeriod | undefined {
  return other && other.number < period.number ? other : undefined;
}

/** A number that no period has had. */
export function computeNextPeriodNumber({ period, other }: BillingPeriods): number {
  return Math.max(period.number, other?.number ?? 0) + 1;
}

/**
 * The periods at `at`. The clock alone ends a period. If the server sends dates, the new period is in doubt,
 * and the old one is kept. It returns if the clock goes back before a response confirms the next end.
 */
export function advanceBillingPeriods(periods: BillingPeriods, at: Instant): BillingPeriods {
  const { period } = periods;
  const former = findPreviousPeriod(periods);
  if (former && !period.confirmed && at < former.resetsAt)
    return { period: former, ...(at >= former.resetsAt - JITTER_MS ? { other: period } : {}) };
  if (at >= period.resetsAt) return endPeriod(periods, at);
  const isOver = former && !periods.doubt && at >= former.resetsAt + SAME_RESET_TOLERANCE_MS;
  return isOver ? { ...periods, other: undefined } : periods;
}

function endPeriod(periods: BillingPeriods, at: Instant): BillingPeriods {
  const { period, doubt } = periods;
  let current = periodBegun(periods, at) ?? periodAfter(period, computeNextPeriodNumber(periods));
  while (at >= current.resetsAt) current = periodAfter(current, current.number + 1);
  const former = findPreviousPeriod(periods);
  // A doubted period proved nothing: it continues with a later end and keeps its spending.
  if (doubt && former)
    return { period: { ...period, resetsAt: current.resetsAt, confirmed: false }, other: former, doubt };
  const namesDates = period.confirmed || period.namedAt !== undefined;
  return { period: current, other: period, ...(namesDates ? { doubt: { since: at, seq: 0 } } : {}) };
}

/** A period whose amounts already count: begun before the clock went back, or claimed by recent responses. */
function periodBegun({ period, other, claim }: BillingPeriods, at: Instant): BillingPeriod | undefined {
  if (!other || other.number < period.number || other.resetsAt <= at) return undefined;
  if (other.startsAt === period.resetsAt) return other;
  return claim && other.resetsAt === claim.resetsAt ? { ...other, namedOnceSeq: claim.seq } : undefined;
}
