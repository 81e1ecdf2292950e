/**
 * Simulated days of the whole app on a manual clock: the simulations of projects and bids together, other
 * activity, and all kinds of faults, by the dice of one seed. `check-soak.ts` compares the app's work with
 * the servers' own books.
 */
import { DAY, type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import { expectNoneTwice } from '../features/bid-books-check.ts';
import { BidGame } from '../features/bid-play.ts';
import { Game } from '../features/books-play.ts';
import { startWorld, type World } from '../features/world.ts';
import { Dice } from './dice.ts';
import { Life, settleIn } from './life.ts';
import { drawService, drawSlack } from './service.ts';
import { clearUp, Storms, WRONG_AT_MOST_MS } from './storms.ts';
import { Templates } from './templates.ts';

export interface SoakOptions {
  readonly seed: number;
  /** Mean number of events per day. */
  readonly moments?: number;
}

const MOMENTS = 100;
/** Early enough that a short run sees the first digest. */
const START = Date.UTC(2026, 0, 5, 6);
/** Each channel's budget; people change it in between. */
const CREDITS_A_DAY = 70;
/** When idle, everything due within this time happens together, as on a slow machine. */
const STEP_MS = 8 * SECOND;
/** The share of a day's events that are storms. */
const STORMY = 0.09;
/** Events around each storm, in a run of hours. */
const MOMENTS_A_STORM = 4;
const BIDDERS = { steps: 0, newest: 6, variety: true } as const;
const SHORT_PAUSE_MS = 5 * MINUTE;

/** Both documented limits. */
export function requestsPerMinute({ seed }: SoakOptions): number {
  return seed % 3 === 0 ? 30 : 5;
}

export class Soak {
  readonly options: SoakOptions;
  readonly world: World;
  readonly dice: Dice;
  readonly books: Game;
  readonly bids: BidGame;
  readonly life: Life;
  readonly templates: Templates;
  readonly #storms = new Storms();
  /** When all subscriptions exist. */
  readonly began: Instant;
  /** Killed processes. */
  kills = 0;
  #days = 0;
  /** Whether the current process survives. */
  #lasts = false;

  private constructor(options: SoakOptions, world: World, dice: Dice, books: Game, bids: BidGame) {
    this.options = options;
    this.world = world;
    this.dice = dice;
    this.books = books;
    this.bids = bids;
    this.life = new Life(world, dice, books.followings);
    this.templates = new Templates(world, dice);
    this.began = world.clock.now();
  }

  static async begin(options: SoakOptions): Promise<Soak> {
    const { seed } = options;
    const limit = requestsPerMinute(options);
    const real = await startWorld({
      seed,
      start: START,
      requestsPerMinute: limit,
      env: { MARKETPLACE_REQUESTS_PER_MINUTE: String(limit), DEFAULT_CHANNEL_BUDGET: '40' },
    });
    let soak: Soak | undefined;
    const lasts = () => (soak ? soak.#lasts : false);
    const world: World = {
      ...real,
      crash: async () => {
        if (lasts()) return;
        if (soak) soak.kills++;
        await real.crash();
      },
      end: async () => {
        if (!lasts()) await real.end();
      },
      restart: async (on) => {
        if (!lasts()) await real.restart(on);
      },
    };
    try {
      const dice = new Dice(seed, world.clock);
      const modes = drawService(dice);
      const slack = drawSlack(dice);
      dice.note(`the services: ${JSON.stringify({ modes, slack })}`);
      world.slack.setHistoryLimit(slack.historyLimit);
      world.slack.setOptionalFields(slack.optionalFields);
      const options = { seed, steps: 0, requestsPerMinute: limit, modes };
      const books = await Game.join(world, options, dice.steps);
      books.followings.wrongBy = WRONG_AT_MOST_MS;
      const bids = await BidGame.join(world, { ...BIDDERS, seed }, books.published, dice.steps);
      await settleIn(world);
      await books.look();
      books.publish(4);
      await world.pass(2 * MINUTE);
      soak = new Soak(options, world, dice, books, bids);
      return soak;
    } catch (thrown) {
      await real.stop();
      throw thrown;
    }
  }

  /** Sets whether the current process survives every fault, or ends like any other. */
  letLast(lasts: boolean): void {
    this.#lasts = lasts;
  }

  /** Runs another simulated day. @throws when an invariant of every moment is broken */
  async day(): Promise<void> {
    const { world, dice, options } = this;
    const end = world.clock.now() + DAY;
    const mean = DAY / (options.moments ?? MOMENTS);
    await this.#beginDay();
    while (world.clock.now() < end) {
      await (dice.share() < STORMY ? this.#storms.befall(world, dice) : this.#moment());
      const left = Math.max(0, end - world.clock.now());
      await world.pass(Math.min(dice.pause(mean), left), STEP_MS);
    }
    await this.books.look();
    expectNoneTwice(this.bids);
  }

  /** Runs some hours with every kind of storm, for machines without time for days. @throws as `day` does */
  async hours(): Promise<void> {
    const { world, dice } = this;
    await this.#beginDay();
    for (let storm = 0; storm < Storms.kinds; storm++) {
      for (let moment = 0; moment < MOMENTS_A_STORM; moment++) {
        await this.#moment();
        await world.pass(dice.pause(SHORT_PAUSE_MS), STEP_MS);
      }
      await this.#storms.befall(world, dice);
    }
    await this.books.look();
    expectNoneTwice(this.bids);
  }

  /** Resumes paused subscriptions and raises used-up budgets: otherwise activity would fade out. */
  async #beginDay(): Promise<void> {
    this.#days++;
    for (const channel of ['web', 'data', 'ops']) {
      await this.world.gig(channel, 'pause off');
      await this.world.gig(channel, `budget ${this.#days * CREDITS_A_DAY}`);
    }
    this.dice.note(`day ${this.#days}`);
    await this.books.look();
  }

  async #moment(): Promise<void> {
    const share = this.dice.share();
    if (share < 0.44) return this.books.step();
    if (share < 0.73) {
      // Records the end of attempts since the last look, before the next one begins.
      await this.bids.look();
      return this.bids.step();
    }
    if (share < 0.97) return this.life.step();
    return this.templates.step();
  }

  /** Ends all faults, and lets everything finish. */
  async calm(): Promise<void> {
    this.dice.note('calm');
    clearUp(this.world);
    await this.bids.calm(STEP_MS);
    await this.books.calm(STEP_MS);
    await this.world.pass(10 * MINUTE, SECOND);
    await this.bids.look();
  }
}
