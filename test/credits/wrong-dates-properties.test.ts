/**
 * A channel buys whenever it can, while single answers name wrong dates and the clock jumps. The server's own
 * count is the reference.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import type { ReservationRequest } from '../../src/credits/credits.ts';
import { FILTER, LOOKUP, openedBook, START } from './books.ts';

const BUDGET = 100;
const MONTH = 30 * DAY;
const ALLOWANCE = 2_000;
/** Fewer than the smallest page. */
const TOO_FEW = 10;
/** Several early resets and wrong dates at once can hide the lookups that asked for proof. */
const HIDDEN = 2;

type Move = 'buy' | 'look up' | 'wait' | 'wrong date' | 'no date' | 'top up' | 'leap' | 'early reset';
/** A move, and how many credits, milliseconds or days. */
type Step = readonly [Move, number];

const days = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const waits = fc.oneof(
  fc.integer({ min: 1, max: 20 * MINUTE }),
  fc.integer({ min: HOUR, max: 9 * HOUR }),
  fc.integer({ min: DAY, max: 12 * DAY }),
);
const move = (weight: number, name: Move, amounts: fc.Arbitrary<number> = fc.constant(0)) => ({
  weight,
  arbitrary: fc.tuple(fc.constant(name), amounts),
});
const USUAL = [
  move(8, 'buy', fc.integer({ min: 5, max: 60 })),
  move(2, 'look up'),
  move(4, 'wait', waits),
  move(3, 'wrong date', days(-60, 60)),
  move(1, 'no date'),
  move(1, 'top up', fc.integer({ min: 1, max: 900 })),
];

function someOf(...moves: typeof USUAL): fc.Arbitrary<Step[]> {
  return fc.array(fc.oneof(...USUAL, ...moves), { minLength: 20, maxLength: 80 });
}

class WrongDates {
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

  async play([name, amount]: Step): Promise<void> {
    if (name !== 'buy' && name !== 'look up') this.#ahead = 0;
    if (name === 'buy') await this.#buy(amount);
    if (name === 'look up') await this.#send({ purchase: LOOKUP, maxCredits: 1, minCredits: 1 }, 1);
    if (name === 'wait') this.wait(amount);
    if (name === 'wrong date') this.#wrong = amount;
    if (name === 'no date') this.#wrong = null;
    if (name === 'top up') this.#remaining += amount;
    // A wrong clock and a wrong date at once are two faults that agree.
    if (name === 'leap' && this.#wrong === undefined) this.#ahead = amount * DAY;
    if (name === 'early reset' && this.#now > this.#startsAt + 6 * DAY) {
      this.#isUnheard = true;
      this.#reset(this.#now);
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
    const answer = { consumed, remaining: this.#remaining, ...this.#date() };
    await this.#book.store.transact((tx) => this.#book.book.settleReservation(tx, id, answer, at));
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

test('despite clock leaps and wrong dates in single answers, a period bears one budget', async () => {
  await fc.assert(
    fc.asyncProperty(someOf(move(2, 'leap', days(-40, 70))), async (played) => {
      const game = new WrongDates();
      await game.begin();
      for (const step of played) {
        await game.play(step);
        expect(game.charged).toBeLessThanOrEqual(BUDGET);
      }
      expect(await game.buyAfterReset()).toBeLessThanOrEqual(BUDGET);
      // The first period may carry purchases made after a wrong date that no answer contradicted before the
      // reset.
      const charged = await game.buyAfterReset();
      expect(charged).toBeLessThanOrEqual(BUDGET);
      expect(charged).toBeGreaterThan(BUDGET - TOO_FEW);
    }),
    { numRuns: 60 },
  );
});

test('so does one that starts early, except for purchases before an answer names its end', async () => {
  await fc.assert(
    fc.asyncProperty(someOf(move(1, 'early reset')), async (played) => {
      const game = new WrongDates();
      await game.begin();
      for (const step of played) {
        await game.play(step);
        expect(game.charged).toBeLessThanOrEqual(BUDGET + game.unheard + HIDDEN);
      }
      await game.buyAfterReset();
      expect(await game.buyAfterReset()).toBeGreaterThan(BUDGET - TOO_FEW);
    }),
    { numRuns: 60 },
  );
});
