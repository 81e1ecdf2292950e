/**
 * Derives the cost of unanswered requests, and spending by others, from the server's `remaining`. Pure. Why
 * this way: docs/decisions/0002-credits.md.
 */
import { z } from 'zod';
import { withOlderFields } from '../storage/older-names.ts';

/** Readings since the last quiet moment, when no request was in flight. */
export const BalanceTally = withOlderFields(
  z.object({
    /** `remaining` at the last quiet moment; everything before it is accounted for. */
    base: z.number().optional(),
    /** Charged by responses since then. */
    consumed: z.number(),
    /** The smallest `remaining` since then: the server's last value, whatever the order of responses. */
    lowest: z.number().optional(),
    /** The highest `openedSeq` of the requests answered since then. */
    openedSeq: z.number().optional(),
    /** Position of the last response without a balance. Only a request opened later can show that balance. */
    lastSilentSeq: z.number().optional(),
  }),
  { openedAs: 'openedSeq', silentAs: 'lastSilentSeq' },
);
export type BalanceTally = z.infer<typeof BalanceTally>;

export const EMPTY_BALANCE_TALLY: BalanceTally = { consumed: 0 };

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

export function addChargeWithoutBalance(
  tally: BalanceTally,
  consumed: number,
  lastSilentSeq: number,
): BalanceTally {
  return { ...tally, consumed: tally.consumed + consumed, lastSilentSeq };
}

/** A reservation whose request got no response. */
export interface UnansweredReservation {
  readonly id: string;
  readonly amount: number;
  readonly lostSeq: number;
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
      /** Spent by others. */
      readonly outside: number;
    };

/**
 * @param inFlight number of requests in flight
 * @param unanswered oldest first
 */
export function reconcileBalance(
  tally: BalanceTally,
  inFlight: number,
  unanswered: readonly UnansweredReservation[],
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
