/**
 * The whole app as a process of its own, killed with SIGKILL at seeded moments while projects keep coming, and its books held against
 * the servers'.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Clock, machineClock, SECOND } from '../../src/clock.ts';
import { collections } from '../../src/collections.ts';
import { creditReservations, ledgerRecords } from '../../src/credits/records.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { actionIds } from '../../src/slack/blocks/ids.ts';
import { openLowdbStore } from '../../src/storage/lowdb/open.ts';
import { scanCollection } from '../../src/storage/store.ts';
import { fastClock } from '../../src/workbench/clocks.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
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

/** Not faster: some of the app's patience (2 s for the record of a request) would be shorter than a busy disk. */
const SPEED = 20;
const FILTERS = [101, 102, 103];
/** How long a condition may take in the machine’s own time: a start alone took half a minute where eight others wanted the same core. */
const BOUND_MS = 120_000;
const ENOUGH_CREDITS = 1_000_000;
/** However long a busy machine takes for a life, so many projects come in it at the most. */
const PROJECTS_A_LIFE = 4;
/** Of what the app has logged, where it got stuck. */
const SHOWN = 20;
const FOLLOWED = { web: [101, 102], data: [102, 103] } as const;
type ChannelName = keyof typeof FOLLOWED;
const CHANNELS: readonly ChannelName[] = ['web', 'data'];

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /** Told after each kill. */
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
  /** Everything that all lives of the app have logged, and written besides. */
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
      // Where a budget is used up the app rests, and there is nothing to kill.
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

  /** How much the outside world has seen of the app. */
  #seenOfIt(): number {
    return this.#marketplace.requests().length + this.#slack.apiCalls().length;
  }

  /** The projects that have a card of their own in a channel, in order. */
  #told(channel: string): readonly string[] {
    return this.#slack.messages(channel).flatMap(({ metadata }) => {
      const [kind, , ...project] = String(metadata?.event_payload['post']).split(':');
      return kind === 'card' ? [project.join(':')] : [];
    });
  }

  /** Summaries of floods give out their cards, so that each project can be counted. */
  async #openFloods(channel: string): Promise<void> {
    const slack = this.#slack;
    for (const message of slack.messages(channel)) {
      // Looked at one by one: the app goes on meanwhile.
      if (!this.#isFlood(channel, message.ts)) continue;
      await slack.press({ user: 'ada', message, actionId: actionIds.showMore });
      const count = this.#told(channel).length;
      const isOpened = () => this.#told(channel).length > count || !this.#isFlood(channel, message.ts);
      await until('cards out of a summary', isOpened);
    }
  }

  /** Whether the message is a summary that still has projects without cards. */
  #isFlood(channel: string, ts: string): boolean {
    return JSON.stringify(this.#slack.message(channel, ts)?.blocks ?? []).includes(actionIds.showMore);
  }

  /** What the last life has left on disk. */
  async #readBooks() {
    const folder = this.#env['DATA_DIR'] ?? '';
    const store = await openLowdbStore({ folder, collections, log: silentLog, clock: machineClock });
    const prefix = [TeamId.parse(this.#slack.team.id)] as const;
    const books = await store.read(async (tx) => {
      let spent = 0;
      for await (const { value } of scanCollection(tx, ledgerRecords, { prefix })) spent += value.credits;
      return { spent, reserved: await tx.list(creditReservations, { prefix, limit: 10 }) };
    });
    await store.close();
    return { ...books, notices: store.notices };
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
    this.#published.push({ project: this.#marketplace.publishProject(filters).ciphertext, filters });
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
    // A subscription begins at its own second, and projects are dated in whole ones.
    await this.#clock.sleep(2 * SECOND);
  }

  /** Until it has done so much that the outside can see, projects arriving meanwhile, and a moment longer. */
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
      // Each round brings cards or fails at its own bound.
      while (this.#told(channel).length < this.#expectedIn(channel).length) {
        // A summary may be posted after the last look at them.
        const hasMore = () =>
          this.#told(channel).length > count ||
          this.#slack.messages(channel).some(({ ts }) => this.#isFlood(channel, ts));
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
    // Answers to these prove what became of requests that a kill had cut off.
    for (const filter of FILTERS) this.#publish(filter);
    await this.#untilAllTold();
    expect(await this.#end(app, 'SIGTERM')).toBe(0);
    await this.#expectAllRight();
    return { projects: this.#published.length, credits: this.#marketplace.consumedCredits().total };
  }

  async #expectAllRight(): Promise<void> {
    for (const channel of CHANNELS)
      expect(this.#told(channel).toSorted()).toEqual(this.#expectedIn(channel).toSorted());
    expect(this.#marketplace.maxRequestsInAnyMinute()).toBeLessThanOrEqual(30);
    expect(this.#slack.failedCalls()).toEqual([]);
    const books = await this.#readBooks();
    expect(books.notices).toEqual([]);
    expect(books.reserved).toEqual([]);
    expect(books.spent).toBe(this.#marketplace.consumedCredits().total);
    expect(this.#noise).toEqual([]);
    expect(errorsIn(this.#lines)).toEqual([]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#marketplace.close(), this.#slack.close()]);
    await this.#compiled.remove();
  }
}

/** @returns how many projects were told once, and how many credits stand on the ledger. @throws AssertionError that names what broke */
export async function playKills(options: KillOptions) {
  const game = await KillGame.begin(options);
  try {
    return await game.play();
  } finally {
    await game.close();
  }
}
