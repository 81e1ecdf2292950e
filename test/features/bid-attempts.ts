/**
 * For `bid-play.ts`: the attempt of each form, its start and end, and the names that the app had linked as
 * one project.
 */
import type { Instant } from '../../src/clock.ts';
import type { SpendingHold } from '../../src/spending/hold.ts';
import { numberOf } from './bid-forms-sent.ts';
import type { BidBooks } from './read-bid-books.ts';

/** An attempt, as stored before sending. */
export interface Attempt {
  /** The bid's id. */
  readonly bid: string;
  readonly number: number;
  /** The key of its project. */
  readonly project: string;
  readonly at: Instant;
  /** Undefined while it is being sent. */
  readonly endedAt: Instant | undefined;
}

/** How an attempt waited before it was sent. */
export interface HeldAttempt {
  readonly hold: SpendingHold;
  readonly by: string;
}

export class Attempts {
  readonly #holds = new Map<number, HeldAttempt>();
  readonly #byForm = new Map<number, Attempt>();
  readonly #linked = new Map<string, Instant>();

  /** Call it often: the store keeps only a bid's newest attempt. */
  note({ bids, linked }: Pick<BidBooks, 'bids' | 'linked'>): void {
    for (const { uid, at } of linked) if (!this.#linked.has(uid)) this.#linked.set(uid, at);
    for (const { id, attempt: number, state, at, answeredAt, project, request, hold, by } of bids) {
      const form = numberOf(request.coverLetter);
      if (form === undefined) continue;
      if (hold) this.#holds.set(form, { hold, by });
      const endedAt = this.#byForm.get(form)?.endedAt ?? (state === 'sending' ? undefined : answeredAt);
      this.#byForm.set(form, { bid: id, number, project, at, endedAt });
    }
  }

  ofForm(form: number | undefined): Attempt | undefined {
    return form === undefined ? undefined : this.#byForm.get(form);
  }

  /** How the form's bid waits, or waited, as last seen; undefined: it didn't. */
  heldOf(form: number): HeldAttempt | undefined {
    return this.#holds.get(form);
  }

  /** When the app linked this uid with its `~id`; undefined: not linked. */
  linkedSince(uid: string): Instant | undefined {
    return this.#linked.get(uid);
  }
}
