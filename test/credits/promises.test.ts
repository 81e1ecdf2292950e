/** Random steps compare the credit book with the marketplace's own books. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { ChannelId } from '../../src/ids.ts';
import type { ResponseCredits } from '../../src/marketplace/schema.ts';
import { DATA, DESIGN, LOOKUP, openedBook, RESET, START, WEB } from './books.ts';

const CHANNELS = [DESIGN, WEB, DATA];
const PROBE = ChannelId.parse('CPROBE');
const ALLOWANCE = 3_000;
/** Small budgets for a few lookups, and one for pages. */
const BUDGETS = [1, 2, 12, 120];

/** Who pays, which request or project, and how much of something. */
type Step = readonly [Move, number, number];
type Move =
  | 'ask'
  | 'look up'
  | 'serve'
  | 'serve again'
  | 'deliver'
  | 'deliver in part'
  | 'lose'
  | 'release'
  | 'crash'
  | 'outside'
  | 'top up'
  | 'wait'
  | 'raise'
  | 'check';

const move = (weight: number, name: Move, most = 100) => ({
  weight,
  arbitrary: fc.tuple(fc.constant(name), fc.nat(9), fc.integer({ min: 1, max: most })),
});
const LOOKUPS = [move(4, 'look up'), move(3, 'serve'), move(2, 'serve again'), move(3, 'deliver')];
const LOSSES = [move(2, 'deliver in part'), move(2, 'lose')];
const OTHERS = [
  move(5, 'ask'),
  move(1, 'release'),
  move(1, 'crash'),
  move(2, 'outside', 900),
  move(1, 'top up', 500),
  move(1, 'wait', 200),
  move(1, 'raise', 50),
  move(2, 'check'),
];
/** Half of them are lookups only, so a project is often requested again. */
const steps: fc.Arbitrary<Step[]> = fc.oneof(
  ...[
    [...LOOKUPS, ...LOSSES, ...OTHERS],
    [...LOOKUPS, ...LOSSES],
  ].map((moves) => fc.array(fc.oneof(...moves), { minLength: 10, maxLength: 60 })),
);
const PARTS: readonly ResponseCredits['assumed'][] = ['remaining', 'consumed', 'both'];

interface Flight {
  readonly id: string;
  readonly limit: number;
  /** The looked-up project; absent for a page. */
  readonly project?: string;
  answer?: { readonly consumed: number; readonly remaining: number; readonly isRefused: boolean };
  /** The answer came on a retry, after a lost answer that the server had charged. */
  repeated?: true;
}

/** What the marketplace charges. */
class Server {
  remaining = ALLOWANCE;
  resetsAt = RESET;
  /** In this period, by us and by others. */
  consumed = 0;
  /** By others only. */
  outside = 0;
  /** Looked up in this period; such a project costs nothing any more. */
  readonly #known = new Set<string>();

  charge(needed: number, wanted = needed) {
    const isRefused = needed > this.remaining;
    const consumed = isRefused ? 0 : Math.min(needed, wanted);
    this.remaining -= consumed;
    this.consumed += consumed;
    return { consumed, remaining: this.remaining, isRefused };
  }

  lookUp(project: string) {
    const answer = this.charge(this.#known.has(project) ? 0 : 1);
    if (!answer.isRefused) this.#known.add(project);
    return answer;
  }

  reset(): void {
    Object.assign(this, {
      remaining: ALLOWANCE,
      consumed: 0,
      outside: 0,
      resetsAt: this.resetsAt + 30 * DAY,
    });
    this.#known.clear();
  }
}

class Play {
  readonly #book: ReturnType<typeof openedBook>;
  readonly #server = new Server();
  readonly #limits: Map<ChannelId, number>;
  /** Whether lost requests are retried; a retry can charge the reserved credit a second time. */
  readonly #retries: boolean;
  #flights: Flight[] = [];
  #hasLost = false;
  #now = START;
  #count = 0;
  /** Answers within the server's current period, and what the last one told to be left. */
  #checks = 0;
  #told = 0;
  /** The old period may pass for the new one. */
  #isBlurred = false;
  /** Charges from before the book could know the period, once that is settled. */
  #unseen = { period: 0, credits: 0 };

  constructor(budget: number, retries: boolean) {
    this.#book = openedBook(budget);
    this.#limits = new Map(CHANNELS.map((channel) => [channel, budget]));
    this.#retries = retries;
  }

  async begin(): Promise<void> {
    await this.#book.setBudget(PROBE, 'unlimited');
    await this.#check();
    await this.#check();
  }

  async play([name, which, amount]: Step): Promise<void> {
    const flight = this.#flights[which % Math.max(1, this.#flights.length)];
    const channel = CHANNELS[which % 3] ?? DESIGN;
    if (name === 'ask') await this.#ask((which % 7) + 1, Math.max(10, amount));
    if (name === 'look up') await this.#lookUp(channel, `~${amount % 3}`);
    if (name === 'outside') this.#spendOutside(amount);
    if (name === 'crash') await this.#crash();
    if (name === 'top up') await this.#topUp(amount);
    if (name === 'wait') this.#wait(amount * HOUR);
    if (name === 'raise') await this.#raise(channel, amount);
    if (name === 'check') await this.#check();
    if (flight) await this.#goOn(name, flight, amount);
  }

  async #goOn(name: Move, flight: Flight, amount: number): Promise<void> {
    if (name === 'serve' || name === 'serve again') this.#serve(flight, amount, name === 'serve again');
    if (name === 'deliver') await this.#deliver(flight);
    if (name === 'deliver in part') await this.#deliver(flight, PARTS[amount % 3]);
    if (name === 'release' && !flight.answer) {
      this.#land(flight);
      await this.#book.release(flight.id);
    }
    if (name === 'lose') {
      this.#land(flight);
      this.#hasLost = true;
      await this.#book.lose(flight.id, this.#now);
    }
  }

  #land(flight: Flight): void {
    this.#flights = this.#flights.filter((other) => other !== flight);
  }

  /** @param payers a bit for each channel */
  async #ask(payers: number, maxCredits: number): Promise<void> {
    const id = `p${++this.#count}`;
    const channels = CHANNELS.filter((_, place) => payers & (1 << place));
    const subject = this.#retries ? String(maxCredits % 3) : id;
    const purchase = { endpoint: 'filter-projects', subject } as const;
    const reserved = await this.#book.reserve({ id, channels, maxCredits, purchase, at: this.#now });
    if (reserved.kind !== 'reserved') return;
    expect(reserved.amount).toBeGreaterThanOrEqual(10);
    expect(reserved.amount).toBeLessThanOrEqual(maxCredits);
    this.#flights.push({ id, limit: reserved.amount });
  }

  /** Two concurrent lookups of a project share one request. */
  async #lookUp(channel: ChannelId, project: string): Promise<void> {
    if (this.#flights.some((flight) => flight.project === project)) return;
    const id = `p${++this.#count}`;
    const purchase = { endpoint: 'lookup', subject: project } as const;
    const asked = { id, channels: [channel], maxCredits: 1, minCredits: 1, purchase, at: this.#now };
    if ((await this.#book.reserve(asked)).kind === 'reserved') this.#flights.push({ id, limit: 1, project });
  }

  #serve(flight: Flight, fresh: number, again: boolean): void {
    if (flight.answer) return;
    const { project } = flight;
    if (project !== undefined && again) {
      // A page is never requested twice.
      this.#server.lookUp(project);
      flight.repeated = true;
    }
    flight.answer =
      project === undefined ? this.#server.charge(flight.limit, fresh) : this.#server.lookUp(project);
  }

  async #deliver(flight: Flight, assumed?: ResponseCredits['assumed']): Promise<void> {
    const { answer, repeated } = flight;
    if (!answer) return;
    this.#land(flight);
    const { remaining } = answer;
    const { resetsAt } = this.#server;
    this.#hasLost ||= repeated === true || (!answer.isRefused && assumed !== undefined);
    if (assumed === undefined || assumed === 'consumed') this.#told = remaining;
    if (answer.isRefused) {
      // The first try may have been charged the last credit.
      if (repeated) await this.#book.lose(flight.id, this.#now);
      else await this.#book.refuse(flight.id, { remaining, resetsAt }, this.#now);
      return;
    }
    const isTold = assumed === undefined || assumed === 'remaining';
    const consumed = isTold ? answer.consumed : flight.limit;
    const told = {
      consumed,
      remaining,
      resetsAt,
      ...(repeated && { repeated }),
      ...(assumed && { assumed }),
    };
    const { shares } = await this.#book.tell(flight.id, told, this.#now);
    expect(shares.reduce((sum, { credits }) => sum + credits, 0)).toBe(isTold ? consumed : 0);
  }

  #spendOutside(amount: number): void {
    this.#server.outside += this.#server.charge(Math.min(amount, this.#server.remaining)).consumed;
  }

  async #crash(): Promise<void> {
    this.#hasLost ||= this.#flights.length > 0;
    this.#flights = [];
    await this.#book.recover(this.#now);
  }

  async #raise(channel: ChannelId, by: number): Promise<void> {
    const limit = (this.#limits.get(channel) ?? 0) + by;
    this.#limits.set(channel, limit);
    await this.#book.setBudget(channel, limit, this.#now);
  }

  /** It hides losses and other people's spending since the last answer: one precedes it, and one sees it. */
  async #topUp(amount: number): Promise<void> {
    if (this.#flights.length > 0) return;
    await this.#check();
    if (this.#hasLost) return;
    this.#server.remaining += amount;
    this.#wait(10 * MINUTE);
    await this.#check();
  }

  #wait(ms: number): void {
    this.#now += ms;
    while (this.#now >= this.#server.resetsAt) {
      const { remaining } = this.#server;
      this.#server.reset();
      this.#isBlurred = this.#checks < 2 || ALLOWANCE <= Math.max(remaining, this.#told);
      this.#checks = 0;
    }
  }

  /** A free lookup while idle: after it the books must agree. */
  async #check(): Promise<void> {
    if (this.#flights.length > 0) return;
    const id = `p${++this.#count}`;
    const asked = { id, channels: [PROBE], purchase: LOOKUP, maxCredits: 1, minCredits: 1, at: this.#now };
    if ((await this.#book.reserve(asked)).kind !== 'reserved') return;
    const answer = this.#server.charge(1, 0);
    await this.#deliver({ id, limit: 1, answer });
    if (answer.isRefused) return;
    this.#checks++;
    this.#hasLost = false;
    const { byChannels, outside, resetsAt } = await this.#book.account(this.#now);
    if (resetsAt !== this.#server.resetsAt || this.#isBlurred) return;
    const credits = this.#server.consumed - byChannels - outside;
    if (this.#unseen.period !== resetsAt) this.#unseen = { period: resetsAt, credits };
    expect(credits).toBe(this.#unseen.credits);
    expect(credits).toBeGreaterThanOrEqual(0);
    if (!this.#retries) expect(outside).toBeLessThanOrEqual(this.#server.outside);
  }

  async expectWithinBudgets(): Promise<void> {
    for (const channel of CHANNELS) {
      const { settled, reserved, available } = await this.#book.budget(channel, this.#now);
      expect(settled + reserved).toBeLessThanOrEqual(this.#limits.get(channel) ?? 0);
      expect(available).toBe((this.#limits.get(channel) ?? 0) - settled - reserved);
      expect(Math.min(settled, reserved)).toBeGreaterThanOrEqual(0);
    }
  }

  async end(): Promise<void> {
    for (const flight of this.#flights) this.#serve(flight, 3, false);
    for (const flight of this.#flights) await this.#deliver(flight);
    this.#wait(10 * MINUTE);
    await this.#check();
    await this.expectWithinBudgets();
  }
}

test('whatever happens, no budget is exceeded, and our books agree with the server’s', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(...BUDGETS), fc.boolean(), async (played, budget, retries) => {
      const game = new Play(budget, retries);
      await game.begin();
      for (const step of played) {
        await game.play(step);
        await game.expectWithinBudgets();
      }
      await game.end();
    }),
    { numRuns: 300 },
  );
});

test('equal channels pay the same, within one credit', async () => {
  const channels = ['C0', 'C1', 'C2', 'C3', 'C4'].map((id) => ChannelId.parse(id));
  const costs = fc.array(fc.nat(30), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 5 }), costs, async (size, pages) => {
      const book = openedBook(100_000);
      const paying = channels.slice(0, size);
      let remaining = 10_000;
      await book.buy(0, remaining, { channels: paying });
      for (const consumed of pages) {
        remaining -= consumed;
        await book.buy(consumed, remaining, { channels: paying, maxCredits: 30 });
        const settled: number[] = [];
        for (const channel of paying) settled.push((await book.budget(channel)).settled);
        expect(Math.max(...settled) - Math.min(...settled)).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 40 },
  );
});
