/**
 * How well a project fits a channel, from 0 to 100, and why. It sorts lists and never hides a project. What
 * isn't known counts neither for nor against. Pure.
 */
import type { ListedProject } from '../marketplace/schema.ts';
import { isProjectQualified } from '../marketplace/wire/verdict.ts';
import { budgetType, largestAmount, largestBudget } from '../query/project-rules.ts';
import { compareWithHistory, type FitHistory } from './fit-history.ts';
import type { FitReason, ProjectFit } from './fit-reasons.ts';

interface FitInput {
  readonly project: ListedProject;
  /** How many of the channel's filters found it, with their rules met. */
  readonly filters: number;
  /** It matches one of the channel's rules for mentions. */
  readonly isMentioned: boolean;
  /** What the team did with earlier projects; missing: nothing is known. */
  readonly history?: FitHistory;
}

interface Weighed {
  /** Negative: against. */
  readonly points: number;
  readonly reason: FitReason;
}

/** The agency's own qualifier says what they look for. */
const QUALIFIED = 20;
const NOT_QUALIFIED = -30;

function weighVerdict({ verdict }: ListedProject): readonly Weighed[] {
  const qualified = isProjectQualified(verdict);
  if (qualified === undefined) return [];
  const decision = verdict?.decision ?? '';
  return qualified
    ? [{ points: QUALIFIED, reason: { why: 'verdict', decision } }]
    : [{ points: NOT_QUALIFIED, reason: { why: 'not-qualified' } }];
}

const GOOD_RATING = 4.5;
const LOW_RATING = 4;
/** A rating from fewer reviews means little. */
const ENOUGH_REVIEWS = 3;

function weighRating({ client: { rating, reviews } }: ListedProject): readonly Weighed[] {
  if (rating === undefined || (reviews !== undefined && reviews < ENOUGH_REVIEWS)) return [];
  const facts = { rating, reviews };
  if (rating >= GOOD_RATING)
    return [{ points: 4 + 6 * (rating - GOOD_RATING), reason: { why: 'rating', ...facts } }];
  return rating < LOW_RATING ? [{ points: -10, reason: { why: 'low-rating', ...facts } }] : [];
}

const SOME_SPENT = 1_000;
const MOST_FOR_SPENT = 8;

function weighSpent({ client }: ListedProject): readonly Weighed[] {
  const spent = client.totalSpent ?? largestAmount(client.totalSpentLabel);
  if (spent === undefined || spent < SOME_SPENT) return [];
  const points = Math.min(MOST_FOR_SPENT, 3 + 2.5 * Math.log10(spent / SOME_SPENT));
  return [{ points, reason: { why: 'spent', spent } }];
}

const SOME_HIRES = 3;
const MANY_HIRES = 30;

function weighHires({ client: { totalHires } }: ListedProject): readonly Weighed[] {
  if (totalHires === 0) return [{ points: -4, reason: { why: 'no-hires' } }];
  if (totalHires === undefined || totalHires < SOME_HIRES) return [];
  return [{ points: totalHires >= MANY_HIRES ? 5 : 3, reason: { why: 'hires', count: totalHires } }];
}

const GOOD_HIRE_RATE = 0.6;
const LOW_HIRE_RATE = 0.3;
/** Fewer hires say little about a rate. */
const HIRES_FOR_A_RATE = 3;

function weighHireRate({ client: { hireRate, totalHires } }: ListedProject): readonly Weighed[] {
  if (hireRate === undefined || totalHires === 0) return [];
  if (hireRate >= GOOD_HIRE_RATE) return [{ points: 4, reason: { why: 'hire-rate', rate: hireRate } }];
  const isLow = hireRate < LOW_HIRE_RATE && (totalHires ?? 0) >= HIRES_FOR_A_RATE;
  return isLow ? [{ points: -6, reason: { why: 'low-hire-rate', rate: hireRate } }] : [];
}

function weighPayment({ client: { verified } }: ListedProject): readonly Weighed[] {
  if (verified === undefined) return [];
  return verified
    ? [{ points: 2, reason: { why: 'verified' } }]
    : [{ points: -8, reason: { why: 'unverified' } }];
}

const ABOVE = 1.25;
const FAR_ABOVE = 2;
const BELOW = 0.6;

function weighBudget({ budget }: ListedProject, history: FitHistory): readonly Weighed[] {
  const amount = largestBudget(budget);
  const type = budgetType(budget);
  const usual = type && history.usualBudget[type];
  if (amount === undefined || usual === undefined) return [];
  const ratio = amount / usual;
  if (ratio >= ABOVE)
    return [{ points: ratio >= FAR_ABOVE ? 12 : 8, reason: { why: 'budget-above', amount, usual } }];
  return ratio <= BELOW ? [{ points: -10, reason: { why: 'budget-below', amount, usual } }] : [];
}

/** Every posted project meets the rules of one filter, so only further ones count. */
function weighRules({ filters, isMentioned }: FitInput): readonly Weighed[] {
  const more = Math.min(2, filters - 1);
  return [
    ...(isMentioned ? [{ points: 10, reason: { why: 'mention' } } as const] : []),
    ...(more > 0 ? [{ points: 4 * more, reason: { why: 'filters', count: filters } } as const] : []),
  ];
}

function weighSimilar(project: ListedProject, history: FitHistory): readonly Weighed[] {
  const { won, taken, skipped, clientTaken, clientSkipped } = compareWithHistory(project, history);
  const found: Weighed[] = [];
  if (won > 0) found.push({ points: 12, reason: { why: 'like-won', count: won } });
  if (taken >= 2 && taken > 2 * skipped)
    found.push({ points: Math.min(10, 4 + 2 * taken), reason: { why: 'like-taken', count: taken } });
  if (skipped >= 2 && skipped > 2 * taken && won === 0)
    found.push({ points: -Math.min(16, 6 + 2 * skipped), reason: { why: 'like-skipped', count: skipped } });
  if (clientSkipped > 0) found.push({ points: -15, reason: { why: 'client-skipped', count: clientSkipped } });
  else if (clientTaken > 0) found.push({ points: 10, reason: { why: 'client-taken', count: clientTaken } });
  return found;
}

const UNKNOWN = 50;
/** More are never read, and each posted card stores them. */
const MOST_REASONS = 4;

/** The project's fit for a channel; the same input always gives the same fit. */
export function assessFit(input: FitInput): ProjectFit {
  const { project, history } = input;
  const weighed = [
    ...weighVerdict(project),
    ...weighRating(project),
    ...weighSpent(project),
    ...weighHires(project),
    ...weighHireRate(project),
    ...weighPayment(project),
    ...weighRules(input),
    ...(history ? [...weighBudget(project, history), ...weighSimilar(project, history)] : []),
  ].sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const sum = weighed.reduce((total, { points }) => total + points, UNKNOWN);
  return {
    points: Math.round(Math.min(100, Math.max(0, sum))),
    reasons: weighed.slice(0, MOST_REASONS).map(({ reason }) => reason),
  };
}
