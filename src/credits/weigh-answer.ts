/**
 * What an answer's reset date and balance say of the billing period. No single answer begins a period, ends one or moves
 * its end: it takes the clock, a risen balance or a second answer beside it. docs/decisions/0002-credits.md says why. Pure.
 */
import { DAY, HOUR, type Instant } from '../clock.ts';
import {
  addMonths,
  type Claim,
  formerOf,
  newNumber,
  type Period,
  type Periods,
  SAME_RESET_MS,
} from './periods.ts';

/** Credits are monthly. A date farther off is no billing period's end. Source: docs/marketplace-api.md, Limits. */
const LONGEST_PERIOD_MS = 35 * DAY;
/** Two answers that name dates within this agree. */
const AGREE_MS = HOUR;
/** Between two answers that agree on another end: a date that rolls on with time has moved by more than AGREE_MS then. */
const APART_MS = 2 * HOUR;

export interface Evidence {
  /** The reset date, where the answer names one. */
  readonly named?: Instant | undefined;
  readonly at: Instant;
  /** When its request was sent, and now, in the order of events. */
  readonly openedSeq: number;
  readonly seq: number;
  /** Its request was sent in an earlier period. */
  readonly isEarly: boolean;
  /** The balance is higher than any that the server can have had since the request was sent, but for a top-up or a reset. */
  readonly hasRisen: boolean;
}

export interface Weighed {
  /** Which period the answer speaks of; `unknown`: it names no usable date. */
  readonly speaksOf: 'current' | 'previous' | 'unknown';
  readonly periods: Periods;
}

function isNear(one: Instant, two: Instant, byMs: number): boolean {
  return Math.abs(one - two) <= byMs;
}

/** @param periods rolled to `evidence.at` */
export function weighAnswer(periods: Periods, evidence: Evidence): Weighed {
  const { named, at } = evidence;
  if (named === undefined || Number.isNaN(named) || named > at + LONGEST_PERIOD_MS)
    return weighBalance(periods, evidence);
  return weighDate(periods, { ...evidence, named });
}

/**
 * An answer that names no usable date ends a doubt by its balance, or once a day has brought nothing better. It never
 * does before the end of the period before.
 */
function weighBalance(periods: Periods, { at, hasRisen }: Evidence): Weighed {
  const { doubt } = periods;
  const former = formerOf(periods);
  const isDue = !former || at >= former.resetsAt;
  const isOver = doubt && isDue && (hasRisen || at - doubt.since >= DAY);
  return { speaksOf: 'unknown', periods: isOver ? { ...periods, doubt: undefined } : periods };
}

type DatedEvidence = Evidence & { readonly named: Instant };

function weighDate(periods: Periods, evidence: DatedEvidence): Weighed {
  const { named, at } = evidence;
  const { period, other } = periods;
  const former = formerOf(periods);
  // Data of a version that kept no other period: one that a clock ahead of time began is set right.
  if (!other && at + SAME_RESET_MS < period.startsAt && named > at)
    return { speaksOf: 'current', periods: { period: setRight(period, evidence) } };
  if (former && isNear(named, former.resetsAt, SAME_RESET_MS)) return weighFormer(periods, former, evidence);
  if (isOfPast(period, evidence)) return { speaksOf: 'previous', periods };
  if (named <= at) return weighBalance(periods, evidence);
  return { speaksOf: 'current', periods: weighEnd(periods, former, evidence) };
}

/** Whether the date is that of the period before this one, or an older one. */
function isOfPast({ previousEnd }: Period, { named, at }: DatedEvidence): boolean {
  if (previousEnd === undefined || named >= previousEnd + SAME_RESET_MS) return false;
  return named <= at || named > previousEnd - SAME_RESET_MS;
}

/** The answer names the end of the period before. */
function weighFormer(periods: Periods, former: Period, evidence: DatedEvidence): Weighed {
  const { at, isEarly, hasRisen } = evidence;
  const { period, doubt, claim } = periods;
  if (isEarly) return { speaksOf: 'previous', periods };
  // By the clock, too, that period is over: the server is late, or never names a new date though the balance is new.
  if (at >= former.resetsAt) {
    const isOver = doubt?.hasRisen && at - doubt.since >= DAY;
    const seen = doubt && hasRisen ? { ...doubt, hasRisen: true as const } : doubt;
    return { speaksOf: 'previous', periods: { ...periods, doubt: isOver ? undefined : seen } };
  }
  if (doubt || isConfirmedBy(claim, evidence))
    return { speaksOf: 'current', periods: { period: former, other: period } };
  return { speaksOf: 'previous', periods: { ...periods, claim: claimOf(evidence) } };
}

/** The answer names an end that is to come. */
function weighEnd(periods: Periods, former: Period | undefined, evidence: DatedEvidence): Periods {
  const { named, openedSeq, hasRisen } = evidence;
  const { period, doubt } = periods;
  const { namedOnceSeq } = period;
  if (!period.confirmed) {
    // The end that has just passed was assumed, or named by one answer alone, and may have been wrong.
    const isUnsure = former && (!former.confirmed || former.namedOnceSeq !== undefined);
    if (doubt && isUnsure && !hasRisen) return { period: nameEnd(former, evidence) };
    return { ...periods, period: nameEnd(period, evidence), doubt: undefined, claim: undefined };
  }
  const sure = { ...periods, doubt: isConfirmed(periods, former, evidence) ? undefined : doubt };
  if (isNear(named, period.resetsAt, AGREE_MS)) {
    const isAgreed = namedOnceSeq === undefined || openedSeq > namedOnceSeq;
    return { ...sure, period: isAgreed ? agreedOn(period) : period, claim: undefined };
  }
  // Of two answers that contradict each other the later is believed, until two agree; the first of dates that roll.
  if (namedOnceSeq !== undefined)
    return { ...sure, period: rolls(period, evidence) ? agreedOn(period) : nameEnd(period, evidence) };
  return weighAnotherEnd(sure, former, evidence);
}

/** Whether a request sent since this period's beginning has found the server in it, or at least beyond the one before. */
function isConfirmed(
  { period, doubt }: Periods,
  former: Period | undefined,
  { named, at, openedSeq }: DatedEvidence,
): boolean {
  if (!doubt || openedSeq <= doubt.seq) return false;
  if (isNear(named, period.resetsAt, AGREE_MS)) return true;
  return former !== undefined && at >= former.resetsAt && named > former.resetsAt + SAME_RESET_MS;
}

/** The answer names another end than answers before it did. */
function weighAnotherEnd(periods: Periods, former: Period | undefined, evidence: DatedEvidence): Periods {
  const { named, at, seq, hasRisen } = evidence;
  const { period, claim } = periods;
  const isNext = named > period.resetsAt + SAME_RESET_MS;
  const isDue = at >= period.resetsAt - SAME_RESET_MS;
  if (isNext && (isDue || hasRisen) && !rolls(period, evidence))
    return { ...begin(periods, evidence), doubt: { since: at, seq } };
  if (!claim || !isNear(claim.resetsAt, named, AGREE_MS))
    return { ...periods, claim: claimOf(evidence), other: claimed(periods, former, isNext, evidence) };
  if (at - claim.at < APART_MS || !isConfirmedBy(claim, evidence)) return periods;
  if (isNext && named > period.startsAt + LONGEST_PERIOD_MS) return begin(periods, evidence);
  return { ...periods, period: { ...period, resetsAt: named }, claim: undefined };
}

/** Whether the date has moved on by as much as time has: it tells nothing then. */
function rolls({ namedAt, resetsAt }: Period, { named, at }: DatedEvidence): boolean {
  return namedAt !== undefined && isNear(named - at, resetsAt - namedAt, AGREE_MS);
}

function claimOf({ named, at, seq }: DatedEvidence): Claim {
  return { resetsAt: named, at, seq };
}

function isConfirmedBy(claim: Claim | undefined, { named, openedSeq }: DatedEvidence): boolean {
  return claim !== undefined && openedSeq > claim.seq && isNear(claim.resetsAt, named, AGREE_MS);
}

/** From a claim on amounts are counted in the claimed period, too, unless the one before may still be returned to. */
function claimed(
  periods: Periods,
  former: Period | undefined,
  isNext: boolean,
  evidence: DatedEvidence,
): Period | undefined {
  const { other, doubt } = periods;
  if (!isNext || (former && (doubt || evidence.at < former.resetsAt))) return other;
  return nextPeriod(periods, evidence);
}

function begin(periods: Periods, evidence: DatedEvidence): Periods {
  return { period: nextPeriod(periods, evidence), other: periods.period };
}

/** The period that ends at the date named: the one claimed or left before, where it is that, so that its amounts count. */
function nextPeriod(periods: Periods, { named, at }: DatedEvidence): Period {
  const { period, other } = periods;
  if (other && other.number > period.number && isNear(other.resetsAt, named, AGREE_MS)) return other;
  return {
    number: newNumber(periods),
    startsAt: at,
    resetsAt: named,
    confirmed: true,
    previousEnd: period.resetsAt,
    openedAt: at,
    namedAt: at,
  };
}

function agreedOn(period: Period): Period {
  const { namedOnceSeq: _once, ...agreed } = period;
  return agreed;
}

/** The first date named also says when the period began: a month before. After a rollover we know the start already. */
function nameEnd(period: Period, { named, at, seq }: DatedEvidence): Period {
  const startsAt = period.previousEnd === undefined ? Math.min(addMonths(named, -1), at) : period.startsAt;
  return { ...period, startsAt, resetsAt: named, confirmed: true, namedAt: at, namedOnceSeq: seq };
}

function setRight({ number }: Period, { named, at, seq }: DatedEvidence): Period {
  const startsAt = Math.min(addMonths(named, -1), at);
  const told = { resetsAt: named, confirmed: true, namedAt: at, namedOnceSeq: seq };
  return { number, startsAt, ...told, openedAt: startsAt };
}
