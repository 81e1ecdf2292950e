/**
 * What the server's `remaining` proves about requests that never got an answer, and about others who spend on the same
 * account. Pure; docs/decisions/0002-credits.md says why it is done so.
 */
import { z } from 'zod';

/** What was read since the last quiet moment: one with no request under way. */
export const Tally = z.object({
  /** `remaining` at the last quiet moment, with everything before it accounted for. */
  base: z.number().optional(),
  /** Charged by the answers since. */
  consumed: z.number(),
  /** The smallest `remaining` since: the last one that the server gave, in whatever order answers arrived. */
  lowest: z.number().optional(),
  /** The latest opening among the requests that were answered since. */
  openedAs: z.number().optional(),
  /** When an answer came that told no balance: one of a request that was opened later must tell it. */
  silentAs: z.number().optional(),
});
export type Tally = z.infer<typeof Tally>;

export const NO_TALLY: Tally = { consumed: 0 };

/** One answer's numbers; `openedAs` is the place of its reservation in the order of openings and givings up. */
export interface Reading {
  readonly remaining: number;
  readonly consumed: number;
  readonly openedAs: number;
}

export function addReading(tally: Tally, reading: Reading): Tally {
  return {
    ...tally,
    consumed: tally.consumed + reading.consumed,
    lowest: Math.min(tally.lowest ?? reading.remaining, reading.remaining),
    openedAs: Math.max(tally.openedAs ?? reading.openedAs, reading.openedAs),
  };
}

/** An answer that told what it charged, but no balance. */
export function addSilent(tally: Tally, consumed: number, silentAs: number): Tally {
  return { ...tally, consumed: tally.consumed + consumed, silentAs };
}

/** A reservation whose request was given up without an answer. */
export interface Unanswered {
  readonly id: string;
  readonly amount: number;
  readonly givenUpAs: number;
}

export type Judgement =
  /** Not the moment: something is under way, or the answers may be older than what they would judge. */
  | { readonly kind: 'wait' }
  /** Nothing can be proven for want of a base, or because the balance has risen (a top-up). */
  | { readonly kind: 'unproven'; readonly tally: Tally }
  | {
      readonly kind: 'proven';
      readonly tally: Tally;
      /** What each unanswered request has cost. */
      readonly costs: readonly { readonly id: string; readonly credits: number }[];
      /** Spent by others. */
      readonly outside: number;
    };

/** @param underWay requests without an answer yet @param unanswered oldest first */
export function judge(tally: Tally, underWay: number, unanswered: readonly Unanswered[]): Judgement {
  const { base, lowest, openedAs, silentAs = 0 } = tally;
  if (underWay > 0 || lowest === undefined || openedAs === undefined) return { kind: 'wait' };
  if (silentAs > openedAs || unanswered.some(({ givenUpAs }) => givenUpAs > openedAs))
    return { kind: 'wait' };
  const next: Tally = { base: lowest, consumed: 0 };
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
