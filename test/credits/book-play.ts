/** Random steps compare the credit book with the marketplace's own books. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { ChannelId } from '../../src/ids.ts';
import type { ResponseCredits } from '../../src/marketplace/schema.ts';
import { DATA, DESIGN, LOOKUP, openedBook, START, WEB } from './books.ts';
import { ModelServer, type ServerAnswer } from './model-server.ts';

const CHANNELS = [DESIGN, WEB, DATA];
const PROBE = ChannelId.parse('CPROBE');

const LOOKUPS = [
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('look-up'), who: fc.nat(2), project: fc.nat(2) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('serve'),
      which: fc.nat(9),
      fresh: fc.nat(100),
      again: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('deliver'),
      which: fc.nat(9),
      untold: fc.option(fc.constantFrom('remaining', 'consumed', 'both'), { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lose'), which: fc.nat(9) }) },
];

const OTHERS = [
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('ask'),
      who: fc.integer({ min: 1, max: 7 }),
      maxCredits: fc.integer({ min: 10, max: 100 }),
      of: fc.integer({ min: 1, max: 3 }),
    }),
  },
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
];

/** Half of them are lookups only, so a project is often requested again. */
export const steps = fc.oneof(
  ...[[...LOOKUPS, ...OTHERS], LOOKUPS].map((kinds) =>
    fc.array(fc.oneof(...kinds), { minLength: 10, maxLength: 60 }),
  ),
) as fc.Arbitrary<Step[]>;

type Step =
  | { readonly do: 'ask'; readonly who: number; readonly maxCredits: number; readonly of: number }
  | { readonly do: 'look-up'; readonly who: number; readonly project: number }
  | { readonly do: 'serve'; readonly which: number; readonly fresh: number; readonly again: boolean }
  | { readonly do: 'deliver'; readonly which: number; readonly untold?: ResponseCredits['assumed'] }
  | { readonly do: 'lose' | 'release'; readonly which: number }
  | { readonly do: 'outside' | 'topup'; readonly amount: number }
  | { readonly do: 'wait'; readonly hours: number }
  | { readonly do: 'raise'; readonly who: number; readonly by: number }
  | { readonly do: 'crash' | 'reset-early' | 'check' };

interface Flight {
  readonly id: string;
  readonly limit: number;
  /** The looked-up project; absent for a page. */
  readonly project?: string;
  answer?: ServerAnswer;
  /** The answer came on a retry, after a lost answer that the server had charged. */
  repeated?: true;
}

/** Plays steps against the book and the server, and compares the two. */
export class Play {
  readonly book: ReturnType<typeof openedBook>;
  readonly server = new ModelServer();
  readonly limits: Map<ChannelId, number>;
  flights: Flight[] = [];
  lost = false;
  /**
   * The server has begun a period early without the book's knowledge: reservations given up now are released.
   */
  #unheard = false;
  now = START;
  /** Answers within the server's current period. */
  #checks = 0;
  /** What the last answer told the book to be left. */
  #toldRemaining = 0;
  /**
   * The old period may pass for the new one: too few answers named its end, the ends are close, or nothing
   * rose since the last answer.
   */
  #isBlurred = false;
  /** Whether lost requests are retried; a retry can charge the reserved credit a second time. */
  readonly #retries: boolean;
  #count = 0;
  /** Charges from before the book could know the period, once that is settled. */
  #unseen: { readonly period: number; readonly credits: number } | undefined;

  constructor(budget: number, retries: boolean) {
    this.book = openedBook(budget);
    this.limits = new Map(CHANNELS.map((channel) => [channel, budget]));
    this.#retries = retries;
  }

  async begin(): Promise<void> {
    await this.book.setBudget(PROBE, 'unlimited');
  }

  async ask(channels: readonly ChannelId[], want: number, of: number): Promise<Flight | undefined> {
    const id = `p${++this.#count}`;
    const purchase = { endpoint: 'filter-projects', subject: this.#retries ? String(of) : id } as const;
    const reserved = await this.book.reserve({ id, channels, maxCredits: want, purchase, at: this.now });
    if (reserved.kind !== 'reserved') return undefined;
    expect(reserved.amount).toBeGreaterThanOrEqual(10);
    expect(reserved.amount).toBeLessThanOrEqual(want);
    const flight = { id, limit: reserved.amount };
    this.flights.push(flight);
    return flight;
  }

  /** Two concurrent lookups of a project share one request. */
  async lookUp(channel: ChannelId, project: string): Promise<void> {
    if (this.flights.some((flight) => flight.project === project)) return;
    const id = `p${++this.#count}`;
    const purchase = { endpoint: 'lookup', subject: project } as const;
    const asked = { id, channels: [channel], maxCredits: 1, minCredits: 1, purchase, at: this.now };
    if ((await this.book.reserve(asked)).kind === 'reserved') this.flights.push({ id, limit: 1, project });
  }

  serve(flight: Flight, fresh: number, again: boolean): void {
    if (flight.answer) return;
    const { project } = flight;
    if (project === undefined) flight.answer = this.server.serve(flight.limit, fresh);
    else {
      // A page is never requested twice.
      if (again) this.server.lookUp(project);
      if (again) flight.repeated = true;
      flight.answer = this.server.lookUp(project);
    }
  }

  async deliver(flight: Flight, assumed?: ResponseCredits['assumed']): Promise<void> {
    const { answer } = flight;
    if (!answer) return;
    this.flights = this.flights.filter((other) => other !== flight);
    await this.#deliver(flight, answer, assumed);
    const { remaining } = answer.kind === 'page' ? answer.page : answer.left;
    if (assumed === undefined || assumed === 'consumed') this.#toldRemaining = remaining;
    const { resetsAt } = await this.book.account(this.now);
    if (resetsAt === this.server.resetsAt) this.#unheard = false;
  }

  async #deliver(flight: Flight, answer: ServerAnswer, assumed?: ResponseCredits['assumed']): Promise<void> {
    const { repeated } = flight;
    if (answer.kind === 'depleted') {
      // The first try may have been charged the last credit.
      this.lost ||= repeated === true;
      return repeated
        ? this.book.lose(flight.id, this.now)
        : this.book.refuse(flight.id, answer.left, this.now);
    }
    this.lost ||= repeated === true || assumed !== undefined;
    const isTold = assumed === undefined || assumed === 'remaining';
    const consumed = isTold ? answer.page.consumed : flight.limit;
    const told = { ...(repeated ? { repeated } : {}), ...(assumed ? { assumed } : {}) };
    const { shares } = await this.book.tell(flight.id, { ...answer.page, consumed, ...told }, this.now);
    expect(shares.reduce((sum, share) => sum + share.credits, 0)).toBe(isTold ? consumed : 0);
  }

  /** A free lookup while idle: after it the books must agree. */
  async check(): Promise<void> {
    if (this.flights.length > 0) return;
    const id = `p${++this.#count}`;
    const asked = { id, channels: [PROBE], purchase: LOOKUP, maxCredits: 1, minCredits: 1, at: this.now };
    if ((await this.book.reserve(asked)).kind !== 'reserved') return;
    const probe: Flight = { id, limit: 1, answer: this.server.serve(1, 0) };
    await this.deliver(probe);
    if (probe.answer?.kind !== 'page') return;
    this.#checks++;
    this.lost = false;
    const { byChannels, outside, resetsAt } = await this.book.account(this.now);
    // A period that begins early is believed only after several answers.
    if (resetsAt !== this.server.resetsAt || this.#isBlurred) return;
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
          step.maxCredits,
          step.of,
        );
        return;
      case 'look-up':
        return this.lookUp(CHANNELS[step.who] ?? DESIGN, `~${step.project}`);
      case 'serve': {
        const flight = this.flights[step.which % Math.max(1, this.flights.length)];
        if (flight) this.serve(flight, step.fresh, step.again);
        return;
      }
      case 'outside':
        return this.server.spendOutside(step.amount);
      case 'crash':
        if (this.#unheard) return;
        this.lost ||= this.flights.length > 0;
        this.flights = [];
        return this.book.recover(this.now);
      case 'reset-early':
        if (this.#unheard) return;
        this.#unheard = true;
        return this.#reset(this.now + 30 * DAY);
      case 'wait':
        return this.wait(step.hours * HOUR);
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

  /**
   * A top-up hides losses and other people's spending since the last answer, so it follows an answer and
   * another one sees it.
   */
  async #topUp(amount: number): Promise<void> {
    if (this.flights.length > 0) return;
    await this.check();
    if (this.lost) return;
    this.server.topUp(amount);
    this.wait(10 * MINUTE);
    await this.check();
  }

  wait(ms: number): void {
    this.now += ms;
    while (this.now >= this.server.resetsAt) this.#reset();
  }

  #reset(resetsAt?: number): void {
    const { resetsAt: before, remaining } = this.server;
    this.server.reset(resetsAt);
    const isNear = this.server.resetsAt < before + 6 * DAY;
    // Requests in flight when a period began early may count in both: that is on the safe side.
    const isCrossed = resetsAt !== undefined && this.flights.length > 0;
    const hasRisen = this.server.remaining > Math.max(remaining, this.#toldRemaining);
    this.#isBlurred = this.#checks < 2 || isNear || isCrossed || !hasRisen;
    this.#checks = 0;
  }

  async #end(step: Extract<Step, { which: number }>): Promise<void> {
    const flight = this.flights[step.which % Math.max(1, this.flights.length)];
    if (!flight) return;
    if (step.do === 'deliver') return this.deliver(flight, step.untold);
    if (step.do === 'release' ? flight.answer : this.#unheard) return;
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
