/** Billing periods: their calendar, and what time alone makes of them. `assess-period-evidence.ts` has what answers do. Pure. */
import { z } from 'zod';
import { DAY, type Instant, MINUTE } from '../clock.ts';

export const BillingPeriod = z.object({
  /** Counts up; what was spent belongs to one. */
  number: z.number(),
  startsAt: z.number(),
  resetsAt: z.number(),
  /** The reset date was told by the server. */
  confirmed: z.boolean(),
  /** When the period before this one ended, where there was one: tells a late answer of it from a wrong date. */
  previousEnd: z.number().optional(),
  /** Since when we have been counting in it. */
  openedAt: z.number(),
  /** When an answer first named its end; where none has, that of a period before. Missing: the server names none. */
  namedAt: z.number().optional(),
  /** Only one answer has named its end: that answer's place in the order of events. */
  namedOnceSeq: z.number().optional(),
});
export type BillingPeriod = z.infer<typeof BillingPeriod>;

/** A period began on too little evidence: what is spent must fit the period before it, too. */
export const PeriodUncertainty = z.object({
  since: z.number(),
  /** Its beginning in the order of events: only a request sent later can confirm it. */
  seq: z.number(),
  /** When we last asked the server, at no cost. */
  askedAt: z.number().optional(),
  /** The balance rose, though an answer named the old end. */
  hasRisen: z.literal(true).optional(),
});
export type PeriodUncertainty = z.infer<typeof PeriodUncertainty>;

/** One answer named another end of the period. */
export const ResetDateClaim = z.object({ resetsAt: z.number(), at: z.number(), seq: z.number() });
export type ResetDateClaim = z.infer<typeof ResetDateClaim>;

/** What is believed of the billing period, and what later answers may prove instead. */
export interface BillingPeriods {
  readonly period: BillingPeriod;
  /** The period before (a smaller number), or one that an answer claims has begun: amounts are counted in both. */
  readonly other?: BillingPeriod | undefined;
  readonly doubt?: PeriodUncertainty | undefined;
  readonly claim?: ResetDateClaim | undefined;
}

/** Reset dates within a day are the same reset, read by another clock or told by a late answer. */
export const SAME_RESET_MS = DAY;

/** A clock that is set by less goes back into the same moments; by more, what it had reached was never true. */
const JITTER_MS = 10 * MINUTE;

/** The same day and time of another month, or that month's last day where it has no such day. In UTC. */
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

/** Before the server has told anything: the calendar month in UTC. */
export function firstPeriod(at: Instant): BillingPeriod {
  const date = new Date(at);
  const startsAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  return { number: 1, startsAt, resetsAt: addMonths(startsAt, 1), confirmed: false, openedAt: at };
}

/** The period that follows when the clock reaches the end of `period`, assumed to last a month. */
function periodAfter(period: BillingPeriod, number: number): BillingPeriod {
  return {
    number,
    startsAt: period.resetsAt,
    resetsAt: addMonths(period.resetsAt, 1),
    confirmed: false,
    previousEnd: period.resetsAt,
    openedAt: period.resetsAt,
    ...(period.namedAt === undefined ? {} : { namedAt: period.namedAt }),
  };
}

/** The period before, where it is kept to return to. */
export function findPreviousPeriod({ period, other }: BillingPeriods): BillingPeriod | undefined {
  return other && other.number < period.number ? other : undefined;
}

/** A number that no period has had. */
export function computeNextPeriodNumber({ period, other }: BillingPeriods): number {
  return Math.max(period.number, other?.number ?? 0) + 1;
}

/**
 * What is believed at `at`. The clock alone ends a period, but in doubt where the server has named the end: that
 * period is kept, and returned to where the clock goes back before any answer has named the next end.
 */
export function rollPeriods(periods: BillingPeriods, at: Instant): BillingPeriods {
  const { period } = periods;
  const former = findPreviousPeriod(periods);
  if (former && !period.confirmed && at < former.resetsAt)
    return { period: former, ...(at >= former.resetsAt - JITTER_MS ? { other: period } : {}) };
  if (at >= period.resetsAt) return endPeriod(periods, at);
  const isOver = former && !periods.doubt && at >= former.resetsAt + SAME_RESET_MS;
  return isOver ? { ...periods, other: undefined } : periods;
}

function endPeriod(periods: BillingPeriods, at: Instant): BillingPeriods {
  const { period, doubt } = periods;
  let current = periodBegun(periods, at) ?? periodAfter(period, computeNextPeriodNumber(periods));
  while (at >= current.resetsAt) current = periodAfter(current, current.number + 1);
  const former = findPreviousPeriod(periods);
  // A period in doubt has proved nothing: it stays, with a later end, and keeps what was spent in it.
  if (doubt && former)
    return { period: { ...period, resetsAt: current.resetsAt, confirmed: false }, other: former, doubt };
  const namesDates = period.confirmed || period.namedAt !== undefined;
  return { period: current, other: period, ...(namesDates ? { doubt: { since: at, seq: 0 } } : {}) };
}

/** A period whose amounts are counted already: entered before the clock went back, or claimed by the latest answers. */
function periodBegun({ period, other, claim }: BillingPeriods, at: Instant): BillingPeriod | undefined {
  if (!other || other.number < period.number || other.resetsAt <= at) return undefined;
  if (other.startsAt === period.resetsAt) return other;
  return claim && other.resetsAt === claim.resetsAt ? { ...other, namedOnceSeq: claim.seq } : undefined;
}
