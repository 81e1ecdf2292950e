/**
 * A channel buys whenever it can, while single answers name wrong dates and the clock jumps. The server's own
 * count is the reference.
 */
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import type { ReservationRequest } from '../../src/credits/credits.ts';
import { FILTER, LOOKUP, openedBook, START } from './books.ts';

export const BUDGET = 100;
const MONTH = 30 * DAY;
const ALLOWANCE = 2_000;

export type Step =
  | { readonly do: 'buy'; readonly fresh: number }
  | { readonly do: 'look up' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'wrong date'; readonly days: number | undefined }
  | { readonly do: 'top up'; readonly credits: number }
  | { readonly do: 'leap'; readonly days: number }
  | { readonly do: 'early reset' };

const USUAL = [
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('buy' as const), fresh: fc.integer({ min: 5, max: 60 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look up' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.integer({ min: 1, max: 20 * MINUTE }),
        fc.integer({ min: HOUR, max: 9 * HOUR }),
        fc.integer({ min: DAY, max: 12 * DAY }),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wrong date' as const),
      days: fc.oneof(
        { weight: 4, arbitrary: days(-60, 60) },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('top up' as const), credits: fc.integer({ min: 1, max: 900 }) }),
  },
];
const LEAP = { weight: 2, arbitrary: fc.record({ do: fc.constant('leap' as const), days: days(-40, 70) }) };
const EARLY = { weight: 1, arbitrary: fc.record({ do: fc.constant('early reset' as const) }) };

function days(min: number, max: number): fc.Arbitrary<number> {
  return fc.double({ min, max, noNaN: true });
}

function someOf(...kinds: { weight: number; arbitrary: fc.Arbitrary<Step> }[]): fc.Arbitrary<Step[]> {
  return fc.array(fc.oneof(...kinds), { minLength: 20, maxLength: 80 });
}

/** With clock jumps. */
export const leaps = someOf(...USUAL, LEAP);
/** With billing periods that the server begins early. */
export const earlyResets = someOf(...USUAL, EARLY);

export class WrongDates {
  readonly #book = openedBook(BUDGET);
  #count = 0;
  #now = START;
  /** How far the app's clock is ahead, until the next step that isn't a purchase. */
  #ahead = 0;
  #remaining = ALLOWANCE;
  #startsAt = START;
  #resetsAt = START + MONTH;
  #knows = false;
  /** The reset date of the next answer, in days from now; null: none. */
  #wrong: number | null | undefined;
  /** Charged by the server in its present period. */
  charged = 0;
  /**
   * The part of it from before any answer named the end of a period that the server began early: the app
   * can't know it.
   */
  unheard = 0;
  #isUnheard = false;

  async begin(): Promise<void> {
    await this.#buy(5);
    await this.#buy(5);
  }

  async play(step: Step): Promise<void> {
    if (step.do !== 'buy' && step.do !== 'look up') this.#ahead = 0;
    switch (step.do) {
      case 'buy':
        return this.#buy(step.fresh);
      case 'look up':
        return void (await this.#send({ purchase: LOOKUP, maxCredits: 1, minCredits: 1 }, 1));
      case 'wait':
        return this.wait(step.ms);
      case 'wrong date':
        this.#wrong = step.days ?? null;
        return;
      case 'top up':
        this.#remaining += step.credits;
        return;
      case 'leap':
        // A wrong clock and a wrong date at once are two faults that agree.
        if (this.#wrong === undefined) this.#ahead = step.days * DAY;
        return;
      case 'early reset':
        if (this.#now <= this.#startsAt + 6 * DAY) return;
        this.#isUnheard = true;
        return this.#reset(this.#now);
    }
  }

  wait(ms: number): void {
    this.#now += ms;
    while (this.#now >= this.#resetsAt) this.#reset(this.#resetsAt);
  }

  /** Ends all faults with a correct reset date, then buys as much as possible. @returns the amount */
  async buyAfterReset(): Promise<number> {
    this.#waitForReset();
    for (let tries = 0; tries < 12; tries++) {
      this.wait(6 * MINUTE);
      await this.#buy(100);
    }
    return this.charged;
  }

  /** Goes to the minute after the server's next reset, without faults. */
  #waitForReset(): void {
    this.#ahead = 0;
    this.#wrong = undefined;
    this.wait(this.#resetsAt - this.#now + MINUTE);
  }

  #reset(at: number): void {
    this.#startsAt = at;
    this.#resetsAt = at + MONTH;
    this.#remaining = ALLOWANCE;
    this.charged = 0;
    this.unheard = 0;
    this.#knows = false;
  }

  /** As the feed does: when the book asks for proof, first looks up a project that is already paid for. */
  async #buy(fresh: number): Promise<void> {
    const page = { purchase: FILTER, maxCredits: 100, minCredits: 10 };
    if ((await this.#send(page, fresh)) !== 'unanswered') return;
    await this.#send({ purchase: LOOKUP, maxCredits: 1, minCredits: 0 }, this.#knows ? 0 : 1);
    await this.#send(page, fresh);
  }

  async #send(
    asked: Pick<ReservationRequest, 'purchase' | 'maxCredits' | 'minCredits'>,
    fresh: number,
  ): Promise<string> {
    const id = `w${++this.#count}`;
    const at = this.#now + this.#ahead;
    const reserved = await this.#book.reserve({ id, at, ...asked });
    if (reserved.kind !== 'reserved') return reserved.kind;
    const limit = asked.purchase === LOOKUP ? 1 : reserved.amount;
    const consumed = asked.purchase === LOOKUP && this.#knows ? 0 : Math.min(limit, fresh);
    // A paid page provides a project for the proof; a lookup pays for its own.
    if (consumed > 0) this.#knows = true;
    this.charged += consumed;
    this.#remaining -= consumed;
    if (this.#wrong === undefined) this.#isUnheard = false;
    if (this.#isUnheard) this.unheard += consumed;
    await this.#book.store.transact((tx) =>
      this.#book.book.settleReservation(
        tx,
        id,
        { consumed, remaining: this.#remaining, ...this.#date() },
        at,
      ),
    );
    this.#now += 1_000;
    return reserved.kind;
  }

  #date(): { readonly resetsAt?: number } {
    const wrong = this.#wrong;
    this.#wrong = undefined;
    if (wrong === undefined) return { resetsAt: this.#resetsAt };
    return wrong === null ? {} : { resetsAt: Math.floor(this.#now + wrong * DAY) };
  }
}
