/**
 * Billing periods: their calendar, the effect of time, and of responses. A response's reset date and balance
 * are evidence; no single one starts, ends or moves a period: the clock, a risen balance or a second response
 * must agree. Why: docs/decisions/0002-credits.md. Pure.
 */
import { z } from 'zod';
import { DAY, HOUR, type Instant, MINUTE } from '../clock.ts';

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
const SAME_RESET_TOLERANCE_MS = DAY;

/** If the clock goes back by up to this, the begun period is kept. If by more, it never really began. */
const JITTER_MS = 10 * MINUTE;

/** Credits are monthly, so no period ends later than this. Source: docs/marketplace-api.md, Limits. */
const LONGEST_PERIOD_MS = 35 * DAY;
/** Two responses agree if their dates differ by at most this. */
const AGREE_MS = HOUR;
/** Between two responses that agree. A date that moves with the clock differs by more than AGREE_MS then. */
const APART_MS = 2 * HOUR;

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
    namedAt: period.namedAt,
  };
}

/** If it may still return. */
function findPreviousPeriod({ period, other }: BillingPeriods): BillingPeriod | undefined {
  return other && other.number < period.number ? other : undefined;
}

function computeNextPeriodNumber({ period, other }: BillingPeriods): number {
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
    return { period: former, other: at >= former.resetsAt - JITTER_MS ? period : undefined };
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
  return { period: current, other: period, doubt: namesDates ? { since: at, seq: 0 } : undefined };
}

/** A period whose amounts already count: begun before the clock went back, or claimed by recent responses. */
function periodBegun({ period, other, claim }: BillingPeriods, at: Instant): BillingPeriod | undefined {
  if (!other || other.number < period.number || other.resetsAt <= at) return undefined;
  if (other.startsAt === period.resetsAt) return other;
  return claim && other.resetsAt === claim.resetsAt ? { ...other, namedOnceSeq: claim.seq } : undefined;
}

export interface PeriodEvidence {
  readonly namedResetAt?: Instant | undefined;
  readonly at: Instant;
  /** Positions of the request's sending and of now in the order of events. */
  readonly openedSeq: number;
  readonly seq: number;
  /** The request was sent in an earlier period. */
  readonly isEarly: boolean;
  /** The balance is higher than any since the request was sent, so there was a top-up or a reset. */
  readonly hasRisen: boolean;
}

export interface PeriodAssessment {
  /** The period of the response; `unknown`: it has no usable date. */
  readonly namedPeriod: 'current' | 'previous' | 'unknown';
  readonly periods: BillingPeriods;
}

function isNear(one: Instant, two: Instant, byMs: number): boolean {
  return Math.abs(one - two) <= byMs;
}

/** @param periods rolled to `evidence.at` */
export function assessPeriodEvidence(periods: BillingPeriods, evidence: PeriodEvidence): PeriodAssessment {
  const { namedResetAt, at } = evidence;
  if (namedResetAt === undefined || Number.isNaN(namedResetAt) || namedResetAt > at + LONGEST_PERIOD_MS)
    return weighBalance(periods, evidence);
  return weighDate(periods, { ...evidence, namedResetAt });
}

/**
 * A response without a usable date ends a doubt by its risen balance, or after a day without better evidence.
 * It never does so before the previous period ends.
 */
function weighBalance(periods: BillingPeriods, { at, hasRisen }: PeriodEvidence): PeriodAssessment {
  const { doubt } = periods;
  const former = findPreviousPeriod(periods);
  const isDue = !former || at >= former.resetsAt;
  const isOver = doubt && isDue && (hasRisen || at - doubt.since >= DAY);
  return { namedPeriod: 'unknown', periods: isOver ? { ...periods, doubt: undefined } : periods };
}

type DatedEvidence = PeriodEvidence & { readonly namedResetAt: Instant };

function weighDate(periods: BillingPeriods, evidence: DatedEvidence): PeriodAssessment {
  const { namedResetAt, at } = evidence;
  const { period, other } = periods;
  const former = findPreviousPeriod(periods);
  // Only a clock that ran ahead begins the first period in the future.
  if (!other && at + SAME_RESET_TOLERANCE_MS < period.startsAt && namedResetAt > at)
    return { namedPeriod: 'current', periods: { period: setRight(period, evidence) } };
  if (former && isNear(namedResetAt, former.resetsAt, SAME_RESET_TOLERANCE_MS))
    return weighFormer(periods, former, evidence);
  if (isOfPast(period, evidence)) return { namedPeriod: 'previous', periods };
  if (namedResetAt <= at) return weighBalance(periods, evidence);
  return { namedPeriod: 'current', periods: weighEnd(periods, former, evidence) };
}

function isOfPast({ previousEnd }: BillingPeriod, { namedResetAt, at }: DatedEvidence): boolean {
  if (previousEnd === undefined || namedResetAt >= previousEnd + SAME_RESET_TOLERANCE_MS) return false;
  return namedResetAt <= at || namedResetAt > previousEnd - SAME_RESET_TOLERANCE_MS;
}

/** The response has the previous period's end. */
function weighFormer(
  periods: BillingPeriods,
  former: BillingPeriod,
  evidence: DatedEvidence,
): PeriodAssessment {
  const { at, isEarly, hasRisen } = evidence;
  const { period, doubt, claim } = periods;
  if (isEarly) return { namedPeriod: 'previous', periods };
  // The clock agrees that the period is over: the server is late, or keeps the old date with a new balance.
  if (at >= former.resetsAt) {
    const isOver = doubt?.hasRisen && at - doubt.since >= DAY;
    const seen = doubt && hasRisen ? { ...doubt, hasRisen: true as const } : doubt;
    return { namedPeriod: 'previous', periods: { ...periods, doubt: isOver ? undefined : seen } };
  }
  if (doubt || isConfirmedBy(claim, evidence))
    return { namedPeriod: 'current', periods: { period: former, other: period } };
  return { namedPeriod: 'previous', periods: { ...periods, claim: claimOf(evidence) } };
}

/** The response has a future end. */
function weighEnd(periods: BillingPeriods, former: BillingPeriod | undefined, evidence: DatedEvidence) {
  const { namedResetAt, openedSeq, hasRisen } = evidence;
  const { period, doubt } = periods;
  const { namedOnceSeq } = period;
  if (!period.confirmed) {
    // The previous end was assumed, or comes from one response only, so it may have been wrong.
    const isUnsure = former && (!former.confirmed || former.namedOnceSeq !== undefined);
    if (doubt && isUnsure && !hasRisen) return { period: nameEnd(former, evidence) };
    return { ...periods, period: nameEnd(period, evidence), doubt: undefined, claim: undefined };
  }
  const sure = { ...periods, doubt: isConfirmed(periods, former, evidence) ? undefined : doubt };
  if (isNear(namedResetAt, period.resetsAt, AGREE_MS)) {
    const isAgreed = namedOnceSeq === undefined || openedSeq > namedOnceSeq;
    return { ...sure, period: isAgreed ? agreedOn(period) : period, claim: undefined };
  }
  // Of two contradicting responses the later one wins until two agree; a date that moves with time keeps the
  // first.
  if (namedOnceSeq !== undefined)
    return { ...sure, period: rolls(period, evidence) ? agreedOn(period) : nameEnd(period, evidence) };
  return weighAnotherEnd(sure, former, evidence);
}

/** Whether a request sent since the period began shows the server in it, or at least past the previous. */
function isConfirmed(
  { period, doubt }: BillingPeriods,
  former: BillingPeriod | undefined,
  { namedResetAt, at, openedSeq }: DatedEvidence,
): boolean {
  if (!doubt || openedSeq <= doubt.seq) return false;
  if (isNear(namedResetAt, period.resetsAt, AGREE_MS)) return true;
  return (
    former !== undefined && at >= former.resetsAt && namedResetAt > former.resetsAt + SAME_RESET_TOLERANCE_MS
  );
}

/** The response has a different end than earlier responses. */
function weighAnotherEnd(
  periods: BillingPeriods,
  former: BillingPeriod | undefined,
  evidence: DatedEvidence,
): BillingPeriods {
  const { namedResetAt, at, seq, hasRisen } = evidence;
  const { period, claim } = periods;
  const isNext = namedResetAt > period.resetsAt + SAME_RESET_TOLERANCE_MS;
  const isDue = at >= period.resetsAt - SAME_RESET_TOLERANCE_MS;
  if (isNext && (isDue || hasRisen) && !rolls(period, evidence))
    return { ...begin(periods, evidence), doubt: { since: at, seq } };
  if (!claim || !isNear(claim.resetsAt, namedResetAt, AGREE_MS))
    return { ...periods, claim: claimOf(evidence), other: claimed(periods, former, isNext, evidence) };
  if (at - claim.at < APART_MS || !isConfirmedBy(claim, evidence)) return periods;
  if (isNext && namedResetAt > period.startsAt + LONGEST_PERIOD_MS) return begin(periods, evidence);
  return { ...periods, period: { ...period, resetsAt: namedResetAt }, claim: undefined };
}

/** Whether the date moved by as much as time passed: then it proves nothing. */
function rolls({ namedAt, resetsAt }: BillingPeriod, { namedResetAt, at }: DatedEvidence): boolean {
  return namedAt !== undefined && isNear(namedResetAt - at, resetsAt - namedAt, AGREE_MS);
}

function claimOf({ namedResetAt, at, seq }: DatedEvidence): DifferingResetDate {
  return { resetsAt: namedResetAt, at, seq };
}

function isConfirmedBy(claim: DifferingResetDate | undefined, { namedResetAt, openedSeq }: DatedEvidence) {
  return claim !== undefined && openedSeq > claim.seq && isNear(claim.resetsAt, namedResetAt, AGREE_MS);
}

/** After a claim, amounts also count in the claimed period, unless the previous period may still return. */
function claimed(
  periods: BillingPeriods,
  former: BillingPeriod | undefined,
  isNext: boolean,
  evidence: DatedEvidence,
): BillingPeriod | undefined {
  const { other, doubt } = periods;
  if (!isNext || (former && (doubt || evidence.at < former.resetsAt))) return other;
  return nextPeriod(periods, evidence);
}

function begin(periods: BillingPeriods, evidence: DatedEvidence): BillingPeriods {
  return { period: nextPeriod(periods, evidence), other: periods.period };
}

/** The period with this end. Reuses `other` if it is that period, so that its amounts count. */
function nextPeriod(periods: BillingPeriods, { namedResetAt, at }: DatedEvidence): BillingPeriod {
  const { period, other } = periods;
  if (other && other.number > period.number && isNear(other.resetsAt, namedResetAt, AGREE_MS)) return other;
  return {
    number: computeNextPeriodNumber(periods),
    startsAt: at,
    resetsAt: namedResetAt,
    confirmed: true,
    previousEnd: period.resetsAt,
    openedAt: at,
    namedAt: at,
  };
}

function agreedOn(period: BillingPeriod): BillingPeriod {
  const { namedOnceSeq: _once, ...agreed } = period;
  return agreed;
}

/** The first date also gives the period's start, a month before. After a rollover the start is known. */
function nameEnd(period: BillingPeriod, { namedResetAt, at, seq }: DatedEvidence): BillingPeriod {
  const startsAt =
    period.previousEnd === undefined ? Math.min(addMonths(namedResetAt, -1), at) : period.startsAt;
  return { ...period, startsAt, resetsAt: namedResetAt, confirmed: true, namedAt: at, namedOnceSeq: seq };
}

function setRight({ number }: BillingPeriod, { namedResetAt, at, seq }: DatedEvidence): BillingPeriod {
  const startsAt = Math.min(addMonths(namedResetAt, -1), at);
  const named = { resetsAt: namedResetAt, confirmed: true, namedAt: at, namedOnceSeq: seq };
  return { number, startsAt, ...named, openedAt: startsAt };
}
