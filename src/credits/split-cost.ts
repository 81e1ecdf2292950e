/** Sharing a cost among channels in whole credits. Pure. */
import type { ChannelId } from '../ids.ts';

export interface CostSharer {
  readonly channel: ChannelId;
  /** The most that it can take; Infinity where nothing bounds it. */
  readonly cap: number;
  /** How many credits more than its exact part it has paid so far, from remainders that could not be halved. */
  readonly ahead: number;
}

export interface CostPart {
  readonly channel: ChannelId;
  readonly credits: number;
  /** `Party.ahead` after this split. */
  readonly ahead: number;
}

/**
 * Splits `amount` evenly among the parties, none above its cap (what one can't take the others do). A remainder goes to
 * those who are least ahead, so that it takes turns over time.
 * @returns a part for each party, in their order; they sum up to `amount`, or to all caps where these are less.
 */
export function splitCost(amount: number, parties: readonly CostSharer[]): readonly CostPart[] {
  const shares = parties.map((party) => ({ ...party, credits: 0 }));
  let left = amount;
  for (;;) {
    const open = shares.filter(({ cap, credits }) => credits < cap);
    if (open.length === 0 || left === 0) break;
    // At least one each while there is enough for all; the remainder goes by turn.
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
 * Those who paid the most, or one less, shared a remainder; what each paid beyond their mean it is ahead. (Who paid even
 * less was bounded by its cap, and owes nothing for it.)
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

/** Thirds added up must not decide whose turn it is by their last binary digit. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
