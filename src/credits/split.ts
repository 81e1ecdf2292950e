/** Sharing a cost among channels in whole credits. Pure. */
import type { ChannelId } from '../ids.ts';

export interface Party {
  readonly channel: ChannelId;
  /** The most that it can take; Infinity where nothing bounds it. */
  readonly cap: number;
  /** How many credits more than its exact part it has paid so far, from remainders that could not be halved. */
  readonly ahead: number;
}

export interface Part {
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
export function split(amount: number, parties: readonly Party[]): readonly Part[] {
  const parts = parties.map(({ channel, ahead }) => ({ channel, ahead, credits: 0 }));
  let left = amount;
  for (;;) {
    const open = parts.flatMap((part, place) => {
      const room = (parties[place]?.cap ?? 0) - part.credits;
      return room > 0 ? [{ part, room }] : [];
    });
    if (open.length === 0 || left === 0) return parts;
    if (left < open.length) {
      dealRemainder(
        left,
        open.map(({ part }) => part),
      );
      return parts;
    }
    const each = Math.floor(left / open.length);
    for (const { part, room } of open) {
      const paid = Math.min(each, room);
      part.credits += paid;
      left -= paid;
    }
  }
}

function dealRemainder(left: number, parts: { credits: number; ahead: number }[]): void {
  const exact = left / parts.length;
  const order = parts.toSorted((a, b) => a.ahead - b.ahead);
  for (const [place, part] of order.entries()) {
    const paid = place < left ? 1 : 0;
    part.credits += paid;
    part.ahead = rounded(part.ahead + paid - exact);
  }
}

/** Thirds added up must not decide whose turn it is by their last binary digit. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
