/** Splits a cost among channels in whole credits. Pure. */
import type { ChannelId } from '../ids.ts';

export interface CostSharer {
  readonly channel: ChannelId;
  /** The most that the channel can pay; Infinity without a limit. */
  readonly cap: number;
  /** Credits paid beyond its exact share so far, from indivisible remainders. */
  readonly ahead: number;
}

export interface CostPart {
  readonly channel: ChannelId;
  readonly credits: number;
  /** `CostSharer.ahead` after this split. */
  readonly ahead: number;
}

/**
 * Splits `amount` evenly, none above its cap; the others pay the excess. A remainder goes to those least
 * ahead, so that it rotates over time.
 * @returns a part for each party, in their order; they add up to `amount`, or to all caps if these are less.
 */
export function splitCost(amount: number, parties: readonly CostSharer[]): readonly CostPart[] {
  const shares = parties.map((party) => ({ ...party, credits: 0 }));
  let left = amount;
  for (;;) {
    const open = shares.filter(({ cap, credits }) => credits < cap);
    if (open.length === 0 || left === 0) break;
    // At least one each while there is enough for all; the remainder rotates.
    const each = Math.max(1, Math.floor(left / open.length));
    for (const share of inTurn(open).slice(0, left)) {
      const paid = Math.min(each, share.cap - share.credits);
      share.credits += paid;
      left -= paid;
    }
  }
  return settleTurns(shares);
}

function inTurn<T extends CostSharer>(parties: readonly T[]): T[] {
  return parties.toSorted((a, b) => a.ahead - b.ahead);
}

/**
 * Those who paid the most, or one less, shared a remainder: the difference to their mean adds to `ahead`.
 * Those who paid even less were limited by their cap, so nothing is added for them.
 */
function settleTurns(shares: readonly (CostSharer & { readonly credits: number })[]): readonly CostPart[] {
  const most = Math.max(0, ...shares.map(({ credits }) => credits));
  const level = shares.filter(({ credits }) => credits >= most - 1);
  const mean = level.reduce((sum, { credits }) => sum + credits, 0) / level.length;
  return shares.map((share) => {
    const { channel, credits, ahead } = share;
    return { channel, credits, ahead: level.includes(share) ? rounded(ahead + credits - mean) : ahead };
  });
}

/** Rounds, so that the last binary digit of added thirds never decides the turn. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
