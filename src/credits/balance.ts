/**
 * What the server's balance (`remaining`) shows: the cost of unanswered requests, spending by others, a
 * trial, and when credits run out. Pure. Why this way: docs/decisions/0002-credits.md.
 */
import { HOUR, type Instant, MINUTE } from '../clock.ts';
import type { BalanceTally, CreditAccountRecord, ReservationRecord } from './records.ts';

/** For the whole trial; they don't renew and can't be topped up. Source: docs/marketplace-api.md, Limits. */
export const TRIAL_CREDITS = 50;

/** Less time isn't enough to estimate a month's pace. */
const EARLIEST_MS = 6 * HOUR;

/** One response's numbers. `openedSeq`: its reservation's position among opened and lost requests. */
export interface BalanceReading {
  readonly remaining: number;
  readonly consumed: number;
  readonly openedSeq: number;
}

export function addBalanceReading(tally: BalanceTally, reading: BalanceReading): BalanceTally {
  return {
    ...tally,
    consumed: tally.consumed + reading.consumed,
    lowest: Math.min(tally.lowest ?? reading.remaining, reading.remaining),
    openedSeq: Math.max(tally.openedSeq ?? reading.openedSeq, reading.openedSeq),
  };
}

export type BalanceReconciliationResult =
  /** Requests are in flight, or the responses may be older than the requests to judge. */
  | { readonly kind: 'wait' }
  /** No proof is possible without a base, or after the balance has risen (a top-up). */
  | { readonly kind: 'unproven'; readonly tally: BalanceTally }
  | {
      readonly kind: 'proven';
      readonly tally: BalanceTally;
      /** The cost of each unanswered request. */
      readonly costs: readonly { readonly id: string; readonly credits: number }[];
      readonly outside: number;
    };

/**
 * @param inFlight number of requests in flight
 * @param unanswered reservations whose request got no response, oldest first
 */
export function reconcileBalance(
  tally: BalanceTally,
  inFlight: number,
  unanswered: readonly (Pick<ReservationRecord, 'id' | 'amount'> & { readonly lostSeq: number })[],
): BalanceReconciliationResult {
  const { base, lowest, openedSeq, lastSilentSeq = 0 } = tally;
  if (inFlight > 0 || lowest === undefined || openedSeq === undefined) return { kind: 'wait' };
  if (lastSilentSeq > openedSeq || unanswered.some(({ lostSeq }) => lostSeq > openedSeq))
    return { kind: 'wait' };
  const next: BalanceTally = { base: lowest, consumed: 0 };
  const unexplained = base === undefined ? -1 : base - tally.consumed - lowest;
  if (unexplained < 0) return { kind: 'unproven', tally: next };
  let left = unexplained;
  const costs = unanswered.map(({ id, amount }) => {
    const credits = Math.min(amount, left);
    left -= credits;
    return { id, credits };
  });
  return { kind: 'proven', tally: next, costs, outside: left };
}

/**
 * Spread into displayed or posted data; empty if it doesn't look like a trial. The API never names the plan,
 * but a trial's credits have a fixed ceiling. A paid account that was nearly empty from the start looks the
 * same, so this affects texts, never spending.
 */
export function buildTrialFields(account: CreditAccountRecord): { readonly looksLikeTrial?: true } {
  const { highestBalance } = account;
  const isTrial = highestBalance !== undefined && highestBalance <= TRIAL_CREDITS;
  return { looksLikeTrial: isTrial ? true : undefined };
}

/** Whether the time since `since` is too short for a forecast. */
export function isTooEarlyToForecast(since: Instant, now: Instant): boolean {
  return now - since < EARLIEST_MS;
}

/** A pace that ends the credits this soon is reported earlier than others. */
const SOON_MS = 12 * HOUR;
/** A shorter time, or less spending, is no pace: a backfill may be all of it. */
const SHORTEST_PACE_MS = 30 * MINUTE;
const LEAST_FOR_A_PACE = 20;

/**
 * When `left` runs out at the pace since `since`, the start of the counting of `spent`.
 * @returns undefined if that isn't before the reset or nothing was spent; in the first six hours, also if it
 *   isn't within hours
 */
export function forecastRunOut(
  spending: Readonly<Record<'spent' | 'left' | 'since' | 'resetsAt', number>>,
  now: Instant,
): Instant | undefined {
  const { spent, left, since, resetsAt } = spending;
  const elapsedMs = now - since;
  if (spent <= 0 || elapsedMs <= 0) return undefined;
  const runsOutAt = now + Math.round((Math.max(left, 0) * elapsedMs) / spent);
  const isPace = elapsedMs >= SHORTEST_PACE_MS && spent >= LEAST_FOR_A_PACE;
  if (isTooEarlyToForecast(since, now) && !(isPace && runsOutAt - now <= SOON_MS)) return undefined;
  return runsOutAt < resetsAt ? runsOutAt : undefined;
}
