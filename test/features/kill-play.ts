/**
 * The whole app as its own process, killed with SIGKILL at seeded moments while projects arrive. Compares its
 * books with the servers'.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Clock, machineClock, SECOND } from '../../src/clock.ts';
import { fastClock } from '../../src/workbench/clocks.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { findPressable, type Message, messageAt } from '../kit/read-screen.ts';
import { seededRandom } from '../seeded-random.ts';
import {
  type AppProcess,
  type CompiledApp,
  compileApp,
  environmentBeside,
  errorsIn,
  isRunning,
  type LogLine,
} from './app-process.ts';

/**
 * A faster clock would make some of the app's timeouts (2 s for a request's record) shorter than a busy disk
 * needs.
 */
const SPEED = 20;
/** On summaries of cards. */
const SHOWS_MORE = ['Show Best', 'Show All'];
const FILTERS = [101, 102, 103];
/** Limit for a condition in real time: a start alone took half a minute with eight processes on one core. */
const BOUND_MS = 120_000;
const ENOUGH_CREDITS = 1_000_000;
/** The most projects that arrive within one process's life, even on a busy machine. */
const PROJECTS_A_LIFE = 4;
/** The log's last lines, to show where the app got stuck. */
const SHOWN = 20;
const FOLLOWED = { web: [101, 102], data: [102, 103] } as const;
type ChannelName = keyof typeof FOLLOWED;
const CHANNELS: readonly ChannelName[] = ['web', 'data'];

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /** Called after each kill. */
  readonly onKill?: (kills: number) => void;
}

async function within<T>(what: string, work: Promise<T>): Promise<T> {
  let callOff = () => {};
  const late = new Promise<never>((_, reject) => {
    callOff = machineClock.runAfter(BOUND_MS, () => reject(new Error(`not within ${BOUND_MS} ms: ${what}`)));
  });
  return Promise.race([work, late]).finally(() => callOff());
}

async function until(what: string, condition: () => boolean): Promise<void> {
  for (const end = machineClock.now() + BOUND_MS; !condition(); await machineClock.sleep(10))
    if (machineClock.now() > end) throw new Error(`not within ${BOUND_MS} ms: ${what}`);
}

class KillGame {
  readonly #options: KillOptions;
  readonly #compiled: CompiledApp;
  readonly #marketplace: SimulatedMarketplace;
  readonly #slack: SimulatedSlack;
  readonly #clock: Clock;
  readonly #env: Readonly<Record<string, string>>;
  readonly #random: () => number;
  readonly #published: { readonly project: string; readonly filters: readonly number[] }[] = [];
  /** All output of all processes, logs included. */
  readonly #lines: LogLine[] = [];
  readonly #noise: string[] = [];

  private constructor(
    options: KillOptions,
    compiled: CompiledApp,
    sides: { readonly marketplace: SimulatedMarketplace; readonly slack: SimulatedSlack },
    time: { readonly clock: Clock; readonly began: number },
  ) {
    this.#options = options;
    this.#compiled = compiled;
    this.#marketplace = sides.marketplace;
    this.#slack = sides.slack;
    this.#clock = time.clock;
    this.#random = seededRandom(options.seed + 4);
    const { began } = time;
    this.#env = {
      ...environmentBeside(sides, { speed: SPEED, began }, join(compiled.place, 'data')),
      LOG_LEVEL: 'info',
      // With a used-up budget the app is idle, and there is nothing to kill.
      DEFAULT_CHANNEL_BUDGET: String(ENOUGH_CREDITS),
    };
  }

  static async begin(options: KillOptions): Promise<KillGame> {
    const compiled = await compileApp();
    const random = seededRandom(options.seed);
    const began = machineClock.now();
    const clock = fastClock(SPEED, began);
    const marketplace = await startSimulatedMarketplace({ clock, random, creditsPerPeriod: ENOUGH_CREDITS });
    const slack = await startSimulatedSlack({ clock, peopleClock: machineClock, random, rateLimits: 'on' });
    slack.addUser({ name: 'ada', admin: true });
    for (const name of CHANNELS) slack.addChannel({ name });
    for (const id of FILTERS) marketplace.addFilter({ id });
    return new KillGame(options, compiled, { marketplace, slack }, { clock, began });
  }

  /** Progress of the app as visible from outside. */
  #seenOfIt(): number {
    return this.#marketplace.requests().length + this.#slack.apiCalls().length;
  }

  #messages(channel: string): readonly Message[] {
    return this.#slack.messages(channel).map((it) => messageAt(this.#slack, it));
  }

  /** The projects with their own card in a channel, in order. */
  #told(channel: string): readonly string[] {
    const cards = this.#messages(channel).filter((it) => it.offers('Details'));
    return cards.flatMap(({ text }) => /№\d+\./u.exec(text)?.[0] ?? []);
  }

  /** Opens the card summaries, so each project can be counted. */
  async #openFloods(channel: string): Promise<void> {
    for (const message of this.#messages(channel)) {
      // One at a time: the app keeps working in the meantime.
      const label = SHOWS_MORE.find((it) => message.offers(it));
      const { shown } = message;
      const button = shown && label && findPressable(shown, label);
      if (!shown || !button) continue;
      await this.#slack.press({ ...shown, ...button, user: 'ada', force: true });
      const count = this.#told(channel).length;
      const isOpened = () => this.#told(channel).length > count || !this.#isFlood(channel);
      await until('cards out of a summary', isOpened);
    }
  }

  /** Whether a message is a summary of projects without cards. */
  #isFlood(channel: string): boolean {
    return this.#messages(channel).some((it) => SHOWS_MORE.some((label) => it.offers(label)));
  }

  /** Credits on a channel's budget, and those that may be. */
  async #credits(channel: string): Promise<{ readonly spent: number; readonly isProven: boolean }> {
    const answers = () => this.#slack.ephemerals('ada', channel).map((it) => messageAt(this.#slack, it));
    const before = answers().length;
    await this.#slack.runSlashCommand({ user: 'ada', channel, text: 'budget' });
    await until('the budget', () => answers().length > before);
    const text = answers().at(-1)?.text ?? '';
    return {
      spent: Number(/([\d,]+) of [\d,]+ credits/u.exec(text)?.[1]),
      isProven: !/uncertain/u.test(text),
    };
  }

  async #end(app: AppProcess, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    expect(app.isRunning).toBe(true);
    app.child.kill(signal);
    const how = await within(`its end by ${signal}`, app.ended);
    this.#lines.push(...app.log);
    this.#noise.push(...app.noise);
    return how;
  }

  #publish(into?: number): void {
    const chosen = [[101], [102], [103], [101, 102, 103]][Math.floor(this.#random() * 4)] ?? [];
    const filters = into === undefined ? chosen : [into];
    const project = `№${this.#published.length}.`;
    this.#marketplace.publishProject(filters, { title: `Project ${project}` });
    this.#published.push({ project, filters });
  }

  #expectedIn(channel: ChannelName): readonly string[] {
    const isFollowed = (filter: number) => FOLLOWED[channel].some((it) => it === filter);
    return this.#published.filter(({ filters }) => filters.some(isFollowed)).map(({ project }) => project);
  }

  async #subscribeAll(): Promise<void> {
    for (const channel of CHANNELS) {
      for (const filter of FOLLOWED[channel]) {
        const answers = () =>
          this.#slack.ephemerals('ada', channel).length + this.#slack.messages(channel).length;
        const before = answers();
        await this.#slack.runSlashCommand({ user: 'ada', channel, text: `subscribe filter ${filter}` });
        await until(`filter ${filter} to be followed in ${channel}`, () => answers() > before);
      }
    }
    // A subscription begins at an exact second, and projects have dates in whole seconds.
    await this.#clock.sleep(2 * SECOND);
  }

  /** Waits for visible progress while projects arrive, and a moment longer. */
  async #letWork(app: AppProcess): Promise<void> {
    const random = this.#random;
    const enough = this.#seenOfIt() + Math.floor(random() * 20);
    this.#publish();
    let left = PROJECTS_A_LIFE - 1;
    const isAtWork = () => {
      if (left > 0 && random() < 0.02) {
        this.#publish();
        left--;
      }
      return this.#seenOfIt() >= enough;
    };
    await until('the app at work', isAtWork).catch((thrown: unknown) => {
      const state = app.isRunning ? 'it runs' : 'it has ended';
      const last = [...app.log.slice(-SHOWN), ...app.noise.slice(-SHOWN)].map((it) => JSON.stringify(it));
      throw new Error(`${state}, having logged:\n${last.join('\n')}`, { cause: thrown });
    });
    await machineClock.sleep(random() * 40);
  }

  async #untilAllTold(): Promise<void> {
    for (const channel of CHANNELS) {
      let count = -1;
      // Each round brings cards or fails at its own limit.
      while (this.#told(channel).length < this.#expectedIn(channel).length) {
        // A summary may be posted after the last check.
        const hasMore = () => this.#told(channel).length > count || this.#isFlood(channel);
        await until(`more cards in ${channel}`, hasMore);
        count = this.#told(channel).length;
        await this.#openFloods(channel);
      }
    }
  }

  async play(): Promise<{ readonly projects: number; readonly credits: number }> {
    let app = this.#compiled.start(this.#env);
    await within('the first start', app.logged(isRunning));
    await this.#subscribeAll();
    for (let kill = 1; kill <= this.#options.kills; kill++) {
      await this.#letWork(app);
      expect(await this.#end(app, 'SIGKILL')).toBe('SIGKILL');
      app = this.#compiled.start(this.#env);
      this.#options.onKill?.(kill);
    }
    await within('the last start', app.logged(isRunning));
    await this.#untilAllTold();
    // Answers to these prove the fate of requests cut off by a kill.
    for (const filter of FILTERS) this.#publish(filter);
    await this.#untilAllTold();
    const budgets = await Promise.all(CHANNELS.map((it) => this.#credits(it)));
    expect(budgets.every((it) => it.isProven)).toBe(true);
    expect(budgets.reduce((sum, { spent }) => sum + spent, 0)).toBe(this.#charged());
    expect(await this.#end(app, 'SIGTERM')).toBe(0);
    this.#expectAllRight();
    return { projects: this.#published.length, credits: this.#charged() };
  }

  #charged(): number {
    return this.#marketplace.consumedCredits().total;
  }

  #expectAllRight(): void {
    for (const channel of CHANNELS)
      expect(this.#told(channel).toSorted()).toEqual(this.#expectedIn(channel).toSorted());
    expect(this.#marketplace.maxRequestsInAnyMinute()).toBeLessThanOrEqual(30);
    expect(this.#slack.failedCalls()).toEqual([]);
    expect(this.#noise).toEqual([]);
    expect(errorsIn(this.#lines)).toEqual([]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#marketplace.close(), this.#slack.close()]);
    await this.#compiled.remove();
  }
}

/**
 * @returns how many projects were posted once, and how many credits are on the ledger. @throws AssertionError
 * with the broken promise
 */
export async function playKills(options: KillOptions) {
  const game = await KillGame.begin(options);
  try {
    return await game.play();
  } finally {
    await game.close();
  }
}
