/**
 * A random simulation of the whole app that compares its books with the marketplace's. People publish,
 * subscribe, pause, set budgets and look projects up, tools send hints, and the marketplace, Slack and the
 * process fail.
 */
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { ChannelId, TeamId } from '../../src/ids.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { seededRandom } from '../seeded-random.ts';
import {
  CLAIMS_OVER_MS,
  claimSomething,
  expectClaimsOver,
  expectStagesOnce,
  turnOnClaims,
} from './books-claims.ts';
import { Followings } from './books-followings.ts';
import { sendSomeHints } from './books-hints.ts';
import { changeSomething, wake } from './books-settings.ts';
import { SLACK_TROUBLE, TROUBLE } from './books-troubles.ts';
import { buttonsOf } from './buttons.ts';
import { openHintsForm, shownSecret } from './hint-sender.ts';
import { ProjectNames } from './project-names.ts';
import { type Books, readBooks } from './read-books.ts';
import { startWorld, type World } from './world.ts';

const FILTERS = [101, 102, 103];
const CHANNELS = ['web', 'data', 'ops'];
/** A subscription's rules, and which of the titles below pass them. */
const RULES = ['', '', '-zebra', 'lion'];
const TITLES = ['A lion tamer', 'A zebra rider', 'A bear trainer'];
/** Where claims expire. */
const CLAIMING = 'web';
const BUDGETS = ['0', '9', '10', '15', '25', '60', '200', 'off'];

export interface GameOptions {
  readonly seed: number;
  readonly steps: number;
  readonly requestsPerMinute?: number;
  /** Another team member spends on the account, too. */
  readonly outside?: boolean;
  /** A new billing period begins halfway. */
  readonly rollover?: boolean;
  /** The account's own credits run out until a top-up. */
  readonly poor?: boolean;
  /** People claim cards, and in one channel their claims expire. */
  readonly claims?: boolean;
  /** How the server reads its parameters. */
  readonly modes?: Partial<MarketplaceModes>;
}

export class Game {
  readonly world: World;
  readonly #options: GameOptions;
  readonly #random: () => number;
  readonly followings = new Followings();
  readonly published: ProjectWithFilterIds[] = [];
  readonly #names = new ProjectNames(this.published);
  /** The most a channel may have settled and reserved: its limit, or its amount when that was lowered. */
  readonly #caps = new Map<string, number>();
  readonly steps: string[];
  #outside = 0;
  #hintSecret: string | undefined;
  #rolled = false;

  private constructor(world: World, options: GameOptions, steps: string[]) {
    this.world = world;
    this.#options = options;
    this.#random = seededRandom(options.seed * 7_919 + 13);
    this.steps = steps;
  }

  static async begin(options: GameOptions): Promise<Game> {
    const { seed, requestsPerMinute = 30 } = options;
    const world = await startWorld({
      seed,
      requestsPerMinute,
      env: { MARKETPLACE_REQUESTS_PER_MINUTE: String(requestsPerMinute), DEFAULT_CHANNEL_BUDGET: '40' },
    });
    return Game.join(world, { claims: true, ...options });
  }

  /** Shares its world with other simulations; `steps` records the events. */
  static async join(world: World, options: GameOptions, steps: string[] = []): Promise<Game> {
    world.slack.addChannel({ name: 'ops' });
    world.slack.inviteBot('ops');
    for (const id of FILTERS) world.marketplace.addFilter({ id });
    world.marketplace.setModes(options.modes ?? {});
    const game = new Game(world, options, steps);
    if (options.claims) await turnOnClaims(world, CLAIMING);
    await world.gig('web', 'subscribe filter 101');
    await world.pass(40 * SECOND);
    game.#hintSecret = shownSecret(await openHintsForm(world));
    await world.slack.closeView({ user: 'ada', all: true });
    if (options.poor) game.#spendOutside(world.marketplace.creditsRemaining() - 35);
    await world.pass(15 * SECOND);
    await game.look();
    return game;
  }

  #books(): Promise<Books> {
    return this.world.read((tx) => readBooks(tx, TeamId.parse(this.world.slack.team.id)));
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  #upTo(most: number): number {
    return Math.floor(this.#random() * (most + 1));
  }

  async play(): Promise<void> {
    const { steps, rollover } = this.#options;
    for (let step = 0; step < steps; step++) {
      if (rollover && step === Math.floor(steps / 2)) await this.#rollOver();
      await this.step();
    }
  }

  /** One user action or fault, followed by the invariants. */
  async step(): Promise<void> {
    await this.#step();
    await this.look();
  }

  async #rollOver(): Promise<void> {
    this.#note('rollover');
    const { clock, marketplace } = this.world;
    const before = this.#pick([5 * SECOND, 500, 30 * SECOND]);
    const left = marketplace.creditsResetAt() - clock.now() - before;
    for (let days = Math.floor(left / DAY); days > 0; days -= 7) {
      clock.moveBy(Math.min(days, 7) * DAY);
      await this.world.pass(0);
    }
    clock.moveTo(marketplace.creditsResetAt() - before);
    this.publish(this.#upTo(14));
    await this.world.pass(1);
    this.publish(this.#upTo(3));
    await this.world.pass(before * 2);
    this.#rolled = true;
  }

  #note(text: string): void {
    this.steps.push(`${this.world.clock.now()} ${text}`);
  }

  async #step(): Promise<void> {
    const dice = this.#random();
    const channel = this.#pick(CHANNELS);
    const filter = this.#pick(FILTERS);
    if (dice < 0.22) return this.publish(this.#pick([1, 1, 2, 3, 5, 14, 30]));
    if (dice < 0.42) return this.#pass();
    if (dice < 0.52) return this.#say(channel, `budget ${this.#pick(BUDGETS)}`);
    if (dice < 0.62) return this.#say(channel, `subscribe filter ${filter} ${this.#pick(RULES)}`);
    if (dice < 0.65) return this.#unsubscribe(channel, filter);
    if (dice < 0.665) return this.#settings(channel);
    if (dice < 0.69) return this.#claimOrSettings(channel);
    if (dice < 0.74) return this.#say(channel, this.#pick(['pause', 'pause 3m', 'pause off', 'pause off']));
    if (dice < 0.79) return this.#lookUp(channel);
    if (dice < 0.87) return this.#troubleMarketplace();
    if (dice < 0.91) return this.#troubleSlack();
    if (dice < 0.93 && this.#hintSecret !== undefined) return this.#hint();
    if (dice < 0.95 && this.#options.outside) return this.#spendOutside(1 + this.#upTo(30));
    return this.#crash();
  }

  publish(count: number): void {
    for (let i = 0; i < count; i++) {
      const filters = FILTERS.filter(() => this.#random() < 0.45);
      const into = filters.length > 0 ? filters : [this.#pick(FILTERS)];
      const title = this.#pick(TITLES);
      this.published.push(this.world.marketplace.publishProject(into, { title }));
      this.#note(`publish ${this.published.at(-1)?.ciphertext} ${title} ${into.join()}`);
      if (this.#random() < 0.6) this.world.clock.moveBy(this.#upTo(700));
    }
  }

  async #pass(): Promise<void> {
    const ms = this.#pick([1, 5, 11, 25, 60, 130]) * SECOND + this.#upTo(900);
    this.#note(`pass ${ms}`);
    await this.world.pass(ms);
  }

  /** Waits until it is done, since a command may wait for the gate. */
  async #say(channel: string, text: string): Promise<void> {
    if (text.startsWith('budget')) await this.world.gig(channel, text);
    else {
      await this.world.gig(channel, text);
      await this.world.pass(this.#pick([0, 21 * SECOND]));
    }
    this.#note(`${channel}: ${text}`);
  }

  async #unsubscribe(channel: string, filter: number): Promise<void> {
    const at = this.world.clock.now();
    await this.#say(channel, `list ${filter}`);
    const list = this.world.slack.ephemerals('ada', channel).at(-1);
    const button =
      list && buttonsOf(list, actionIds.unsubscribe).find((it) => it.value.includes(`${filter}`));
    if (!button) return;
    const { actionId, blockId, value } = button;
    await this.world.slack.press({ user: 'ada', message: list, actionId, blockId, value });
    await this.world.pass(0);
    const books = await this.#books();
    const { id } = this.world.slack.channel(channel);
    if (!books.subscriptions.some((it) => it.channel === id && it.filter === filter))
      this.followings.end(id, filter, at);
  }

  async #settings(channel: string): Promise<void> {
    this.#note(`${channel}: ${await changeSomething(this.world, channel, (most) => this.#upTo(most))}`);
  }

  async #claimOrSettings(channel: string): Promise<void> {
    if (!this.#options.claims) return this.#settings(channel);
    this.#note(await claimSomething(this.world, CLAIMING, (most) => this.#upTo(most)));
  }

  async #lookUp(channel: string): Promise<void> {
    const project = this.published.length > 0 ? this.#pick(this.published) : undefined;
    if (project) await this.#say(channel, `lookup ${project.ciphertext}`);
  }

  async #troubleMarketplace(): Promise<void> {
    const effect = this.#pick(TROUBLE);
    const path = this.#pick([
      '/filters/*/projects',
      '/filters/*/projects',
      '/projects/lookup',
      '/filters/101/projects',
    ]);
    const times = this.#pick([1, 1, 2, 3, 6, 25]);
    this.#note(`fault ${JSON.stringify(effect)} ${path} x${times}`);
    this.world.marketplace.injectFault({ path }, effect, times);
    await this.world.pass(this.#pick([0, 3, 14]) * SECOND);
  }

  /** Right or wrong, for any filters: the books must not show it. */
  async #hint(): Promise<void> {
    const secret = this.#hintSecret ?? '';
    this.#note(
      await sendSomeHints(this.world, { secret, filters: FILTERS, upTo: (most) => this.#upTo(most) }),
    );
  }

  #troubleSlack(): void {
    const effect = this.#pick(SLACK_TROUBLE);
    this.#note(`slack fault ${JSON.stringify(effect)}`);
    this.world.slack.injectFault('chat.postMessage', effect, this.#pick([1, 2, 3]));
  }

  #spendOutside(credits: number): void {
    this.#note(`outside ${credits}`);
    this.#outside += credits;
    this.world.marketplace.spendCreditsElsewhere(credits);
  }

  async #crash(): Promise<void> {
    const turns = this.#pick([0, 1, 2, 3, 5, 8, 13, 21, 34]);
    this.#note(`crash after ${turns}`);
    this.world.clock.moveBy(this.#pick([0, 2, 9, 12]) * SECOND);
    for (let i = 0; i < turns; i++) await setImmediate();
    await this.world.crash();
    this.world.clock.moveBy(this.#pick([0, 1, 30]) * SECOND);
    await this.world.restart();
  }

  /** The invariants of every moment. */
  async look(): Promise<void> {
    // Wait until idle, so the copy is consistent.
    await this.world.pass(0);
    const charged = this.world.marketplace.consumedCredits().periods.at(-1)?.charged ?? 0;
    const books = await this.#books();
    for (const it of books.subscriptions) this.followings.note(it);
    expectStagesOnce(books);
    this.#expectWithinBudgets(books);
    this.#expectCovered(books, charged);
  }

  #expectWithinBudgets(books: Books): void {
    for (const budget of books.budgets) {
      if (budget.period !== books.account?.period.number) continue;
      const limit = budget.limit === 'unlimited' ? Number.POSITIVE_INFINITY : (budget.limit ?? 40);
      const used = budget.settled + (books.reserved.get(budget.channel) ?? 0);
      const before = this.#caps.get(budget.channel) ?? limit;
      // Credits spent before the limit was lowered stay spent.
      const cap = Math.max(limit, Math.min(before, used));
      this.#caps.set(budget.channel, cap);
      expect(used, `${budget.channel} within its budget`).toBeLessThanOrEqual(cap);
    }
  }

  /** Every charge of the marketplace is on some budget, settled or reserved. */
  #expectCovered(books: Books, charged: number): void {
    let covered = 0;
    for (const budget of books.budgets)
      if (budget.period === books.account?.period.number) covered += budget.settled;
    for (const amount of books.reserved.values()) covered += amount;
    const current = books.account?.period.resetsAt === this.world.marketplace.creditsResetAt();
    if (current) expect(charged, 'charged is covered by budgets').toBeLessThanOrEqual(covered);
  }

  /** Ends all faults and gives everyone credits: now everything must finish. */
  async calm(stepMs = 0): Promise<void> {
    const { world } = this;
    world.marketplace.clearFaults();
    world.marketplace.setModes(this.#options.modes ?? {});
    this.#note('calm');
    await world.pass(30 * SECOND);
    if (this.#options.poor) world.marketplace.topUpCredits(5_000);
    await this.look();
    for (const channel of CHANNELS) {
      await wake(world, channel);
      await world.gig(channel, 'pause off');
      await world.gig(channel, 'budget off');
    }
    // A request is needed to get answers.
    await world.gig('web', 'subscribe filter 101');
    for (let minutes = 0; minutes < 60; minutes += 3) {
      await world.pass(3 * MINUTE, stepMs);
      if (await this.#isComplete()) break;
    }
    await world.pass(MINUTE);
    await this.look();
  }

  async #isComplete(): Promise<boolean> {
    const books = await this.#books();
    return CHANNELS.every((name) => {
      const told = this.#toldIn(books, name);
      return this.#dueIn(name).every((key) => told.includes(key));
    });
  }

  /** The `~id`s of projects in a channel, on cards or in a summary, from any link the app knows. */
  #toldIn(books: Books, name: string): string[] {
    const { id } = this.world.slack.channel(name);
    const listed = books.posts.filter((post) => post.channel === id && post.state === 'bundled');
    const inSummaries = listed.flatMap(({ content }) =>
      content.kind === 'card' ? [content.project as string] : [],
    );
    return [...this.world.told(name), ...inSummaries].map((key) => this.#names.find(key)?.ciphertext ?? key);
  }

  #dueIn(name: string): string[] {
    return this.followings.due(this.world.slack.channel(name).id, this.published);
  }

  async expectAllRight(): Promise<void> {
    if (this.#options.claims) await this.world.pass(CLAIMS_OVER_MS + MINUTE);
    const { marketplace, slack } = this.world;
    const books = await this.#books();
    for (const name of CHANNELS) {
      const told = this.#toldIn(books, name);
      expect(told.length, `no card twice in ${name}`).toBe(new Set(told).size);
      expect(
        this.#dueIn(name).filter((key) => !told.includes(key)),
        `lost in ${name}`,
      ).toEqual([]);
      const allowed = this.followings.allowed(slack.channel(name).id, this.published);
      expect(
        told.filter((key) => !allowed.has(key)),
        `unwanted in ${name}`,
      ).toEqual([]);
      const waiting = books.posts.filter(({ state }) => state !== 'posted' && state !== 'bundled');
      expect(waiting.filter(({ channel }) => channel === ChannelId.parse(slack.channel(name).id))).toEqual(
        [],
      );
    }
    expect(marketplace.maxRequestsInAnyMinute()).toBeLessThanOrEqual(this.#options.requestsPerMinute ?? 30);
    if (this.#options.claims) expectClaimsOver(this.world, CLAIMING, books);
    this.#expectAccount(books);
  }

  #expectAccount(books: Books): void {
    const period = this.world.marketplace.consumedCredits().periods.at(-1);
    const charged = period?.charged ?? 0;
    const { account, budgets } = books;
    const settled = budgets
      .filter((each) => each.period === account?.period.number)
      .reduce((sum, each) => sum + each.settled, 0);
    const unproven = [...books.reserved.values()].reduce((sum, each) => sum + each, 0);
    expect(account?.byChannels).toBe(settled);
    if (!this.#rolled && !this.#options.poor) {
      expect(unproven).toBe(0);
      const outside = account?.outside ?? 0;
      expect(settled + outside).toBe(charged + this.#outside);
    }
    // The app can't tell other spending during a lost answer from the lost request's cost.
    if (!this.#options.outside) expect(settled).toBeLessThanOrEqual(charged);
    expect(charged).toBeLessThanOrEqual(settled + unproven);
    expect(account?.outside).toBeLessThanOrEqual(this.#outside);
  }

  end(): Promise<void> {
    return this.world.stop();
  }
}
