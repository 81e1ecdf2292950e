/**
 * Limits how many lookups one person may send, so that others, bids and the feed still get requests. Times
 * are elapsed ms. In memory.
 */
import { MINUTE, SECOND } from '../clock.ts';
import type { UserId } from '../ids.ts';

const MOST_AT_ONCE = 2;
/** A lookup takes about a second: with two in progress, a retry makes sense after this time. */
const RETRY_MS = 5 * SECOND;

/** One person's lookups take at most half of the marketplace's limit per minute. */
function mostInAMinute(limitPerMinute: number): number {
  return Math.max(MOST_AT_ONCE, Math.floor(limitPerMinute / 2));
}

export type LookupRateDecision =
  | {
      readonly kind: 'go';
      /** Call it once; a lookup that was never sent doesn't count. */
      end(wasSent: boolean): void;
    }
  | { readonly kind: 'wait'; readonly retryAfterMs: number };

interface Begun {
  readonly at: number;
  isOver: boolean;
}

export class LookupRateLimiter {
  /** Within the last minute or in progress, oldest first. */
  readonly #begun = new Map<UserId, Begun[]>();

  tryStartLookup(user: UserId, limitPerMinute: number, now: number): LookupRateDecision {
    this.#dropOld(now);
    const own = this.#begun.get(user) ?? [];
    const most = mostInAMinute(limitPerMinute);
    const oldest = own.length < most ? undefined : own.at(-most);
    if (oldest) return { kind: 'wait', retryAfterMs: Math.max(oldest.at + MINUTE - now, RETRY_MS) };
    if (own.filter(({ isOver }) => !isOver).length >= MOST_AT_ONCE)
      return { kind: 'wait', retryAfterMs: RETRY_MS };
    const begun: Begun = { at: now, isOver: false };
    this.#begun.set(user, [...own, begun]);
    return {
      kind: 'go',
      end: (wasSent) => {
        begun.isOver = true;
        if (!wasSent) this.#drop((each) => each === begun);
      },
    };
  }

  #dropOld(now: number): void {
    this.#drop(({ at, isOver }) => isOver && at <= now - MINUTE);
  }

  #drop(isGone: (begun: Begun) => boolean): void {
    for (const [user, all] of this.#begun) {
      const left = all.filter((each) => !isGone(each));
      if (left.length > 0) this.#begun.set(user, left);
      else this.#begun.delete(user);
    }
  }
}
