/**
 * A random game of the whole app. People publish, subscribe, pause, set budgets, claim and look projects up,
 * tools send hints, and the marketplace, Slack and the process fail. Compares what people see with the
 * marketplace's own books.
 */
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { Answer } from '../kit/person.ts';
import { type Message, screenOf } from '../kit/read-screen.ts';
import type { Desk } from '../kit/start-desk.ts';
import type { Dice } from '../soak/dice.ts';
import { Subscriptions } from './books-subscriptions.ts';
import { SLACK_TROUBLE, TROUBLE } from './books-troubles.ts';

const FILTERS = [101, 102, 103];
const CHANNELS = ['web', 'data', 'ops'];
const RULES = ['', '', '-zebra', 'lion'];
const TITLES = ['A lion tamer', 'A zebra rider', 'A bear trainer'];
const BUDGETS = ['0', '9', '10', '15', '25', '60', '200', 'off'];
const FEEDS = ['/filters/*/projects', '/filters/*/projects', '/projects/lookup', '/filters/101/projects'];
const OPENS_SUMMARY = ['Show Newest', 'Show Best', 'Show Next', 'Show All'];
/** Claims are over by then: checked once a minute, and again after pauses. */
const CLAIMS_OVER_MS = 20 * MINUTE;
const CLAIMS = {
  'Targets and nudges': ['Show targets'],
  'Nudge the person on duty after': 2,
  'Claims without a bid expire after': 5,
  'Working days': ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  'Working hours from': null,
  'Working hours until': null,
  'Lead: person': 'ada',
};

export interface BooksGameOptions {
  readonly requestsPerMinute: number;
  /** Another team member spends on the account, too. */
  readonly outside?: boolean;
  /** The account's own credits run out until a top-up. */
  readonly poor?: boolean;
  /** People claim cards in `web`, where claims expire. */
  readonly claims?: boolean;
  /** How the server reads its parameters. */
  readonly modes?: Partial<MarketplaceModes>;
}

interface Budget {
  readonly spent: number;
  readonly uncertain: number;
  readonly limit: number;
}

export class BooksGame {
  readonly #published: ProjectWithFilterIds[] = [];
  readonly #subscriptions = new Subscriptions();
  readonly #desk: Desk;
  readonly #dice: Dice;
  readonly #options: BooksGameOptions;
  readonly #moves: readonly (() => Promise<void>)[];
  /** The most that a channel may have spent: its limit, or what it had spent when that was lowered. */
  readonly #caps = new Map<string, number>();
  #outside = 0;
  #hintSecret = '';

  private constructor(desk: Desk, dice: Dice, options: BooksGameOptions) {
    this.#desk = desk;
    this.#dice = dice;
    this.#options = options;
    this.#moves = this.#listMoves();
  }

  /** On an empty desk, which other games may share. */
  static async join(desk: Desk, dice: Dice, options: BooksGameOptions): Promise<BooksGame> {
    const { slack, market } = desk;
    slack.addChannel({ name: 'ops' });
    slack.inviteBot('ops');
    for (const id of FILTERS) market.service.addFilter({ id, name: `Filter ${id}` });
    for (const name of ['ada', 'ben']) desk.person(name);
    const game = new BooksGame(desk, dice, options);
    if (options.claims) await (await game.#settings('web', 'Response Times')).send(CLAIMS);
    const hints = await game.#settings('web', 'Hints');
    game.#hintSecret = /\/hooks\/(T[\w-]+)/u.exec(hints.text)?.[1] ?? '';
    await desk.person('ada').close();
    await game.#subscribe('web', 101, '');
    if (options.poor) game.#spendOutside(market.service.creditsRemaining() - 35);
    await game.look();
    return game;
  }

  async step(): Promise<void> {
    await this.#dice.pick(this.#moves)();
    await this.look();
  }

  #publish(count: number): void {
    const { market, app } = this.#desk;
    for (let left = count; left > 0; left--) {
      const filters = FILTERS.filter(() => this.#dice.share() < 0.45);
      const into = filters.length > 0 ? filters : [this.#dice.pick(FILTERS)];
      const title = `${this.#dice.pick(TITLES)} №${this.#published.length}.`;
      this.#published.push(market.publish({ title }, into).project);
      this.#dice.note(`publish ${title} ${into.join()}`);
      if (this.#dice.share() < 0.6) app.clock.moveBy(this.#upTo(700));
    }
  }

  /** What holds at every moment: no channel spends more than its budget, and each credit is on one. */
  async look(): Promise<void> {
    await this.#desk.app.settle();
    const charged = this.#charged();
    let covered = 0;
    for (const channel of CHANNELS) {
      const { spent, uncertain, limit } = await this.#budget(channel);
      const used = spent + uncertain;
      const cap = Math.max(limit, Math.min(this.#caps.get(channel) ?? limit, used));
      this.#caps.set(channel, cap);
      expect(used, `${channel} within its budget`).toBeLessThanOrEqual(cap);
      covered += used;
    }
    // What a request under way may cost is reserved, which nobody is shown.
    const isQuiet = this.#desk.market.service.requests().every(({ answered, lost }) => answered || lost);
    if (isQuiet) expect(charged, 'what was charged is on budgets').toBeLessThanOrEqual(covered);
  }

  /** Ends all faults, and gives everyone credits: now everything must come. */
  async calm(): Promise<void> {
    const { market, pass } = this.#desk;
    this.#dice.note('calm');
    market.service.clearFaults();
    market.service.setModes(this.#options.modes ?? {});
    await pass(MINUTE);
    if (this.#options.poor) market.service.topUpCredits(5_000);
    for (const channel of CHANNELS) {
      await this.#beQuiet(channel, null);
      await this.#say(channel, 'pause off');
      await this.#say(channel, 'budget off');
    }
    // A request is needed to learn what the last ones cost.
    await this.#subscribe('web', 101, '');
    await pass(45 * MINUTE);
    if (this.#options.claims) await pass(CLAIMS_OVER_MS);
    await this.#openSummaries();
    await this.look();
  }

  /** Each project stands in each channel that wants it, once, and every credit is accounted for. */
  async judge(): Promise<void> {
    for (const channel of CHANNELS) {
      const told = this.#cards(channel).flatMap(({ text }) => /№\d+\./u.exec(text)?.[0] ?? []);
      expect(told.toSorted(), `no card twice in ${channel}`).toEqual([...new Set(told)].toSorted());
      const { due, allowed } = this.#subscriptions.listFor(channel, this.#published);
      expect(
        due.filter((it) => !told.includes(it)),
        `lost in ${channel}`,
      ).toEqual([]);
      expect(
        told.filter((it) => !allowed.includes(it)),
        `unwanted in ${channel}`,
      ).toEqual([]);
    }
    this.#expectNoneTwice();
    if (this.#options.claims) expect(this.#cards('web').filter((it) => it.offers('Release'))).toEqual([]);
    const { market } = this.#desk;
    expect(market.service.maxRequestsInAnyMinute()).toBeLessThanOrEqual(this.#options.requestsPerMinute);
    await this.#expectAccount();
  }

  /** No message stands twice, and no nudge or warning about a project comes twice. */
  #expectNoneTwice(): void {
    const { slack } = this.#desk;
    const channels = slack.channels().flatMap(({ id }) => slack.messages(id));
    const all = channels.flatMap((it) => slack.thread(it.channel, it.ts));
    const posts = all.flatMap(({ metadata }) => (metadata ? [JSON.stringify(metadata)] : []));
    expect(
      posts.filter((it, at) => posts.indexOf(it) !== at),
      'told twice',
    ).toEqual([]);
  }

  async #expectAccount(): Promise<void> {
    const budgets = await Promise.all(CHANNELS.map((it) => this.#budget(it)));
    const settled = budgets.reduce((sum, it) => sum + it.spent, 0);
    const unproven = budgets.reduce((sum, it) => sum + it.uncertain, 0);
    const { text } = await this.#ask('web', 'budget');
    const numberIn = (pattern: RegExp) => Number(pattern.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
    const outside = numberIn(/([\d,]+) outside Gigdesk/u);
    const charged = this.#charged();
    expect(numberIn(/([\d,]+) spent by channels/u)).toBe(settled);
    expect(charged).toBeLessThanOrEqual(settled + unproven);
    expect(outside).toBeLessThanOrEqual(this.#outside);
    // The app can't tell other spending during a lost answer from the lost request's cost.
    if (!this.#options.outside) expect(settled).toBeLessThanOrEqual(charged);
    if (this.#options.poor) return;
    expect(unproven).toBe(0);
    expect(settled + outside).toBe(charged + this.#outside);
  }

  #charged(): number {
    return this.#desk.market.service.consumedCredits().periods.at(-1)?.charged ?? 0;
  }

  #upTo(most: number): number {
    return Math.floor(this.#dice.share() * (most + 1));
  }

  #cards(channel: string): readonly Message[] {
    return this.#desk
      .person('ada')
      .reads(channel)
      .filter((it) => it.offers('Details'));
  }

  #listMoves() {
    const dice = this.#dice;
    const { pass } = this.#desk;
    const { claims, outside } = this.#options;
    const channel = () => dice.pick(CHANNELS);
    const moves: readonly (readonly [weight: number, move: () => Promise<void>])[] = [
      [22, async () => this.#publish(dice.pick([1, 1, 2, 3, 5, 14, 30]))],
      [20, () => pass(dice.pick([1, 5, 11, 25, 60, 130]) * SECOND + this.#upTo(900))],
      [10, () => this.#say(channel(), `budget ${dice.pick(BUDGETS)}`)],
      [10, () => this.#subscribe(channel(), dice.pick(FILTERS), dice.pick(RULES))],
      [3, () => this.#unsubscribe(channel(), dice.pick(FILTERS))],
      [2, () => this.#beQuiet(channel(), dice.pick([null, ['Every day'], ['Every day']]))],
      [claims ? 3 : 0, () => this.#claim()],
      [5, () => this.#say(channel(), dice.pick(['pause', 'pause 3m', 'pause off', 'pause off']))],
      [5, () => this.#say(channel(), `lookup ${dice.any(this.#published)?.ciphertext ?? '~0'}`)],
      [8, () => this.#troubleMarketplace()],
      [4, async () => this.#troubleSlack()],
      [2, () => this.#sendHints()],
      [outside ? 2 : 0, async () => this.#spendOutside(1 + this.#upTo(30))],
      [5, () => this.#kill()],
    ];
    return moves.flatMap(([weight, move]) => Array.from({ length: weight }, () => move));
  }

  /** Asks without waiting for anything else. */
  async #ask(channel: string, text: string): Promise<{ readonly text: string }> {
    const { slack, app, person } = this.#desk;
    const before = person('ada').notes(channel).length;
    await slack.runSlashCommand({ user: 'ada', channel, text });
    await app.settle();
    const [answer] = person('ada').notes(channel).slice(before);
    return answer ?? screenOf(slack, () => undefined);
  }

  async #say(channel: string, text: string): Promise<void> {
    this.#dice.note(`${channel}: ${text}`);
    await this.#ask(channel, text);
    await this.#desk.pass(this.#dice.pick([0, 21 * SECOND]));
  }

  async #budget(channel: string): Promise<Budget> {
    const { text } = await this.#ask(channel, 'budget');
    const numberIn = (pattern: RegExp) => Number(pattern.exec(text)?.[1]?.replaceAll(',', '') ?? Number.NaN);
    const limit = numberIn(/of ([\d,]+) (?:shared )?credits? spent/u);
    const spent = [
      /([\d,]+) of them in this/u,
      /([\d,]+) of [\d,]+ credits? spent/u,
      /([\d,]+) credits? spent/u,
    ]
      .map(numberIn)
      .find((it) => !Number.isNaN(it));
    if (spent === undefined) return expect.fail(`no budget in ${channel}: ${text}`);
    return {
      spent,
      uncertain: numberIn(/up to ([\d,]+) uncertain/u) || 0,
      limit: Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit,
    };
  }

  async #subscribe(channel: string, filter: number, rules: string): Promise<void> {
    this.#subscriptions.ask(channel, filter, rules, this.#desk.app.clock.now());
    await this.#say(channel, `subscribe filter ${filter} ${rules}`.trim());
    await this.#list(channel);
  }

  /** Notes which subscriptions a channel has for sure. */
  async #list(channel: string): Promise<void> {
    const { text } = await this.#ask(channel, 'list');
    this.#subscriptions.see(
      channel,
      FILTERS.filter((it) => text.includes(`(${it})`)),
      this.#desk.app.clock.now(),
    );
  }

  async #unsubscribe(channel: string, filter: number): Promise<void> {
    const at = this.#desk.app.clock.now();
    const list = await this.#desk.person('ada').type(`/gig list ${filter}`, channel);
    if (!list.offers('Unsubscribe')) return;
    this.#dice.note(`${channel}: unsubscribe ${filter}`);
    await list.press('Unsubscribe');
    const { text } = await this.#ask(channel, 'list');
    if (!text.includes(`(${filter})`)) this.#subscriptions.end(channel, filter, at);
  }

  async #settings(channel: string, part: string): Promise<Answer> {
    return (await this.#desk.person('ada').type('/gig settings', channel)).press(part);
  }

  /** From now on for some minutes; null ends it. */
  async #beQuiet(channel: string, days: readonly string[] | null): Promise<void> {
    const { app, person } = this.#desk;
    const timeAt = (ms: number) => new Date(app.clock.now() + ms).toISOString().slice(11, 16);
    const hours = { 'Quiet from': timeAt(-MINUTE), 'Quiet until': timeAt((1 + this.#upTo(5)) * MINUTE) };
    this.#dice.note(`${channel}: quiet ${days === null ? 'off' : 'daily'} ${hours['Quiet until']}`);
    const form = await this.#settings(channel, 'Quiet Hours');
    await form.send({ 'Quiet hours': days, ...(days ? hours : {}) });
    await person('ada').close();
  }

  async #claim(): Promise<void> {
    const card = this.#dice.any(this.#cards('web').filter((it) => it.offers('Claim')));
    if (card) await this.#desk.person('ben').press(card, 'Claim');
  }

  async #troubleMarketplace(): Promise<void> {
    const [path, effect] = [this.#dice.pick(FEEDS), this.#dice.pick(TROUBLE)];
    const times = this.#dice.pick([1, 1, 2, 3, 6, 25]);
    this.#dice.note(`fault ${path} ${JSON.stringify(effect)} x${times}`);
    this.#desk.market.fail(path, effect, times);
    await this.#desk.pass(this.#dice.pick([0, 3, 14]) * SECOND);
  }

  #troubleSlack(): void {
    const effect = this.#dice.pick(SLACK_TROUBLE);
    this.#dice.note(`Slack fault ${JSON.stringify(effect)}`);
    this.#desk.slack.injectFault('chat.postMessage', effect, this.#dice.pick([1, 2, 3]));
  }

  /** Right or wrong, for any filter: no book may show it. */
  async #sendHints(): Promise<void> {
    const isRight = this.#dice.share() < 0.75;
    const secret = `${this.#hintSecret}${isRight ? '' : 'x'}`;
    const filter = this.#dice.pick([...FILTERS, 900]);
    const request = {
      method: 'POST',
      body: JSON.stringify({ data: [{ filter }] }),
      headers: { 'content-type': 'application/json' },
    };
    this.#dice.note(`hints for ${filter}`);
    for (let left = this.#dice.pick([1, 1, 2, 40]); left > 0; left--) {
      const { status } = await globalThis.fetch(`${this.#desk.app.address()}/hooks/${secret}`, request);
      expect(status).toBe(isRight ? 200 : 404);
    }
  }

  #spendOutside(credits: number): void {
    this.#dice.note(`${credits} credits are spent elsewhere`);
    this.#outside += credits;
    this.#desk.market.service.spendCreditsElsewhere(credits);
  }

  async #kill(): Promise<void> {
    const { app } = this.#desk;
    const turns = this.#dice.pick([0, 1, 2, 3, 5, 8, 13, 21, 34]);
    this.#dice.note(`killed after ${turns} turns`);
    app.clock.moveBy(this.#dice.pick([0, 2, 9, 12]) * SECOND);
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    await app.kill();
    app.clock.moveBy(this.#dice.pick([0, 1, 30]) * SECOND);
    await app.start();
  }

  /** Until every project has a card. */
  async #openSummaries(): Promise<void> {
    const ada = this.#desk.person('ada');
    for (const channel of CHANNELS)
      for (let left = 100; left > 0; left--) {
        const summary = ada.reads(channel).find((it) => OPENS_SUMMARY.some((label) => it.offers(label)));
        const label = OPENS_SUMMARY.find((it) => summary?.offers(it));
        if (!summary || label === undefined) break;
        await ada.press(summary, label);
        await this.#desk.pass(10 * SECOND);
      }
  }
}
