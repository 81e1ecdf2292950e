/**
 * Interprets a response's reset date and balance as evidence of the billing period. No single response
 * starts, ends or moves a period: the clock, a risen balance or a second response must agree. Why:
 * docs/decisions/0002-credits.md. Pure.
 */
import { DAY, HOUR, type Instant } from '../clock.ts';
import {
  addMonths,
  type BillingPeriod,
  type BillingPeriods,
  computeNextPeriodNumber,
  type DifferingResetDate,
  findPreviousPeriod,
  SAME_RESET_TOLERANCE_MS,
} from './billing-periods.ts';

/** Credits are monthly, so no period ends later than this. Source: docs/marketplace-api.md, Limits. */
const LONGEST_PERIOD_MS = 35 * DAY;
/** Two responses agree if their dates differ by at most this. */
const AGREE_MS = HOUR;
/**
 * Minimum time between two responses that agree on another end. A date that moves with the clock differs by
 * more than AGREE_MS by then.
 */
const APART_MS = 2 * HOUR;

export interface PeriodEvidence {
  /** The reset date, if the response has one. */
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
  // Data of an older version without `other`: correct a period that a fast clock began too early.
  if (!other && at + SAME_RESET_TOLERANCE_MS < period.startsAt && namedResetAt > at)
    return { namedPeriod: 'current', periods: { period: setRight(period, evidence) } };
  if (former && isNear(namedResetAt, former.resetsAt, SAME_RESET_TOLERANCE_MS))
    return weighFormer(periods, former, evidence);
  if (isOfPast(period, evidence)) return { namedPeriod: 'previous', periods };
  if (namedResetAt <= at) return weighBalance(periods, evidence);
  return { namedPeriod: 'current', periods: weighEnd(periods, former, evidence) };
}

/** Whether the date belongs to the previous period or an older one. */
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
function weighEnd(
  periods: BillingPeriods,
  former: BillingPeriod | undefined,
  evidence: DatedEvidence,
): BillingPeriods {
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

/**
 * Whether a request sent since this period began shows that the server is in it, or at least past the
 * previous one.
 */
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

function isConfirmedBy(
  claim: DifferingResetDate | undefined,
  { namedResetAt, openedSeq }: DatedEvidence,
): boolean {
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
  const told = { resetsAt: namedResetAt, confirmed: true, namedAt: at, namedOnceSeq: seq };
  return { number, startsAt, ...told, openedAt: startsAt };
}
