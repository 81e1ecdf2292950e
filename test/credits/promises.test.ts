import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { ChannelId } from '../../src/ids.ts';
import { DATA, DESIGN, LOOKUP, openedBook, START, WEB } from './books.ts';
import { ModelServer, type ServerAnswer } from './model-server.ts';

const CHANNELS = [DESIGN, WEB, DATA];
const PROBE = ChannelId.parse('CPROBE');
const BUDGET = 120;

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('ask'),
      who: fc.integer({ min: 1, max: 7 }),
      want: fc.integer({ min: 10, max: 100 }),
      of: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('serve'), which: fc.nat(9), fresh: fc.nat(100) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('deliver'), which: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lose'), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release'), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash') }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('outside'), amount: fc.integer({ min: 1, max: 900 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('topup'), amount: fc.integer({ min: 1, max: 500 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait'), hours: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset-early') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('raise'), who: fc.nat(2), by: fc.integer({ min: 1, max: 50 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('check') }) },
) as fc.Arbitrary<Step>;

type Step =
  | { readonly do: 'ask'; readonly who: number; readonly want: number; readonly of: number }
  | { readonly do: 'serve'; readonly which: number; readonly fresh: number }
  | { readonly do: 'deliver' | 'lose' | 'release'; readonly which: number }
  | { readonly do: 'outside' | 'topup'; readonly amount: number }
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'raise'; readonly who: number; readonly by: number }
  | { readonly do: 'crash' | 'reset-early' | 'check' };

interface Flight {
  readonly id: string;
  readonly limit: number;
  answer?: ServerAnswer;
}

/** Plays steps against the book and the server, and holds one against the other. */
class Play {
  readonly book = openedBook(BUDGET);
  readonly server = new ModelServer();
  readonly limits = new Map(CHANNELS.map((channel) => [channel, BUDGET]));
  flights: Flight[] = [];
  lost = false;
  now = START;
  /** Whether a lost request may be asked for again; such a retry can charge once more what the lost one holds. */
  readonly #retries: boolean;
  #count = 0;
  /** What was charged before anything could be known of it, once that is settled for a period. */
  #unseen: { readonly period: number; readonly credits: number } | undefined;

  constructor(retries: boolean) {
    this.#retries = retries;
  }

  async begin(): Promise<void> {
    await this.book.setBudget(PROBE, 'unlimited');
  }

  async ask(channels: readonly ChannelId[], want: number, of: number): Promise<Flight | undefined> {
    const id = `p${++this.#count}`;
    const purchase = { endpoint: 'filter-projects', subject: this.#retries ? String(of) : id } as const;
    const reserved = await this.book.reserve({ id, channels, want, purchase, at: this.now });
    if (reserved.kind !== 'reserved') return undefined;
    expect(reserved.amount).toBeGreaterThanOrEqual(10);
    expect(reserved.amount).toBeLessThanOrEqual(want);
    const flight = { id, limit: reserved.amount };
    this.flights.push(flight);
    return flight;
  }

  async deliver(flight: Flight): Promise<void> {
    const { answer } = flight;
    if (!answer) return;
    this.flights = this.flights.filter((other) => other !== flight);
    if (answer.kind === 'depleted') return this.book.refuse(flight.id, answer.left, this.now);
    const { consumed, remaining, resetsAt } = answer.page;
    const { shares } = await this.book.settle(flight.id, consumed, remaining, this.now, resetsAt);
    expect(shares.reduce((sum, share) => sum + share.credits, 0)).toBe(consumed);
  }

  /** A free lookup when nothing else goes on: after it the books must agree. */
  async check(): Promise<void> {
    if (this.flights.length > 0) return;
    const id = `p${++this.#count}`;
    const asked = { id, channels: [PROBE], purchase: LOOKUP, want: 1, atLeast: 1, at: this.now };
    if ((await this.book.reserve(asked)).kind !== 'reserved') return;
    const probe: Flight = { id, limit: 1, answer: this.server.serve(1, 0) };
    await this.deliver(probe);
    if (probe.answer?.kind !== 'page') return;
    this.lost = false;
    const { byChannels, outside } = await this.book.account(this.now);
    const credits = this.server.consumed - byChannels - outside;
    const period = this.server.resetsAt;
    if (this.#unseen?.period !== period) this.#unseen = { period, credits };
    expect(credits).toBe(this.#unseen.credits);
    expect(credits).toBeGreaterThanOrEqual(0);
    if (!this.#retries) expect(outside).toBeLessThanOrEqual(this.server.outside);
  }

  async play(step: Step): Promise<void> {
    switch (step.do) {
      case 'ask':
        await this.ask(
          CHANNELS.filter((_, place) => step.who & (1 << place)),
          step.want,
          step.of,
        );
        return;
      case 'serve': {
        const flight = this.flights[step.which];
        if (flight && !flight.answer) flight.answer = this.server.serve(flight.limit, step.fresh);
        return;
      }
      case 'outside':
        return this.server.spendOutside(step.amount);
      case 'crash':
        this.lost ||= this.flights.length > 0;
        this.flights = [];
        return this.book.recover(this.now);
      case 'reset-early':
        return this.server.reset();
      case 'wait':
        this.now += step.hours * HOUR;
        while (this.now >= this.server.resetsAt) this.server.reset();
        return;
      case 'raise': {
        const channel = CHANNELS[step.who] ?? DESIGN;
        const limit = (this.limits.get(channel) ?? 0) + step.by;
        this.limits.set(channel, limit);
        await this.book.setBudget(channel, limit, this.now);
        return;
      }
      case 'check':
        return this.check();
      case 'topup':
        return this.#topUp(step.amount);
      case 'deliver':
      case 'lose':
      case 'release':
        return this.#end(step);
    }
  }

  /** A top-up hides what was lost or spent by others since the last answer, so it comes right after one, and is seen. */
  async #topUp(amount: number): Promise<void> {
    if (this.flights.length > 0) return;
    await this.check();
    if (this.lost) return;
    this.server.topUp(amount);
    this.now += 10 * MINUTE;
    if (this.now >= this.server.resetsAt) this.server.reset();
    await this.check();
  }

  async #end(step: Extract<Step, { which: number }>): Promise<void> {
    const flight = this.flights[step.which];
    if (!flight) return;
    if (step.do === 'deliver') return this.deliver(flight);
    if (step.do === 'release' && flight.answer) return;
    this.flights = this.flights.filter((other) => other !== flight);
    if (step.do === 'release') return this.book.release(flight.id);
    this.lost = true;
    await this.book.lose(flight.id, this.now);
  }

  async expectWithinBudgets(): Promise<void> {
    for (const channel of CHANNELS) {
      const { settled, reserved, available } = await this.book.budget(channel, this.now);
      expect(settled + reserved).toBeLessThanOrEqual(this.limits.get(channel) ?? 0);
      expect(available).toBe((this.limits.get(channel) ?? 0) - settled - reserved);
      expect(Math.min(settled, reserved)).toBeGreaterThanOrEqual(0);
    }
  }
}

describe('whatever happens, in whatever order', () => {
  test('no budget is exceeded, and our books agree with the server’s', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 60 }),
        fc.boolean(),
        async (steps, retries) => {
          const game = new Play(retries);
          await game.begin();
          await game.check();
          for (const each of steps) {
            await game.play(each);
            await game.expectWithinBudgets();
          }
          for (const flight of game.flights) flight.answer ??= game.server.serve(flight.limit, 3);
          for (const flight of game.flights) await game.deliver(flight);
          game.now += 10 * MINUTE;
          if (game.now >= game.server.resetsAt) game.server.reset();
          await game.check();
          await game.expectWithinBudgets();
        },
      ),
      { numRuns: 150 },
    );
  });

  test('equal channels pay the same, within one credit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 5 }),
        fc.array(fc.nat(30), { minLength: 1, maxLength: 40 }),
        async (size, pages) => {
          const book = openedBook(100_000);
          const channels = Array.from({ length: size }, (_, place) => ChannelId.parse(`C${place}`));
          let remaining = 10_000;
          await book.buy(0, remaining, { channels });
          for (const consumed of pages) {
            remaining -= consumed;
            await book.buy(consumed, remaining, { channels, want: 30 });
            const settled: number[] = [];
            for (const channel of channels) settled.push((await book.budget(channel)).settled);
            expect(Math.max(...settled) - Math.min(...settled)).toBeLessThanOrEqual(1);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
