/**
 * A random play of the whole app: people act (`moves.ts`) while the marketplace, Slack, the disk and the
 * process fail (`troubles.ts`), by the dice of one seed. Short ones are in `npm test`; a soak lasts for days.
 */
import { DAY, type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SlackFaultHandle, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { type Answer, createPerson, type Input, type Person } from '../kit/person.ts';
import { type Message, messageAt, type Screen } from '../kit/read-screen.ts';
import { type Desk, PATHS, startDesk } from '../kit/start-desk.ts';
import { Dice } from './dice.ts';
import { expectWithinBudgets } from './judge-credits.ts';
import { MOVES, publish } from './moves.ts';
import { CHANNELS, CREDITS_A_DAY, FILTERS, SHOW, settleIn } from './scene.ts';
import { drawService, drawSlack, type SlackService } from './services.ts';
import { Storms } from './troubles.ts';

export interface PlayOptions {
  readonly seed: number;
  /** What most moves are about; a soak has everything. */
  readonly about: 'bids' | 'books' | 'soak';
  /** Both 5 and 30 are documented; 30 when absent. */
  readonly requestsPerMinute?: number;
  /** The channels' spending rules, by the labels of their form; none when absent. */
  readonly rules?: Input;
  /** Another team member spends on the account, too. */
  readonly outside?: boolean;
  /** The account's own credits run out until a top-up. */
  readonly poor?: boolean;
  /** How the marketplace reads its parameters and answers, and what Slack is like. A soak draws both. */
  readonly modes?: Partial<MarketplaceModes>;
  readonly slack?: SlackService;
  /** In a soak: the mean number of moves and storms per day. */
  readonly moments?: number;
}

interface Subscription {
  readonly channel: string;
  readonly filter: number;
  readonly asked: { readonly rules: string; readonly at: Instant }[];
  /** When the list showed it first. */
  seenAt: Instant;
  endedAt: Instant;
}

/** A form of a bid that someone sent. Its letter has its number, which links what comes of it. */
interface SentForm {
  readonly at: Instant;
  readonly shownAt: Instant;
  readonly text: string;
}

/** Early enough that a short soak sees the first digest. */
const START = Date.UTC(2026, 0, 5, 6);
const MOMENTS = 100;
/** When idle, everything due within this time happens together, as on a slow machine. */
const STEP_MS = 8 * SECOND;
/** The share of a day's moments that are storms. */
const STORMY = 0.09;
/** Moves around each storm, in a soak of hours. */
const MOVES_A_STORM = 5;

/** Then claims are over, and all requests and cards that waited have come. */
const CALM_MS = 45 * MINUTE;

export class Play {
  readonly options: PlayOptions;
  readonly desk: Desk;
  readonly dice: Dice;
  readonly began: Instant;
  readonly published: ProjectWithFilterIds[] = [];
  readonly subscriptions: Subscription[] = [];
  /** The forms that were sent, by number from 1. */
  readonly sent = new Map<number, SentForm>();
  /** Forms as they were: another device still shows them. */
  readonly oldForms: { readonly user: string; readonly view: SlackView }[] = [];
  /** Values of the pressed buttons Approve. */
  readonly approvals = new Set<string>();
  /** When each request for a bid was still without an end, as last seen. */
  readonly openAt = new Map<number, Instant>();
  /** The most that a channel may have spent: its limit, or what it had spent when that was lowered. */
  readonly caps = new Map<string, number>();
  /** Quiet hours of channels, for certain. */
  readonly quiet: { readonly channel: string; readonly from: Instant; until: Instant }[] = [];
  readonly invitations: string[] = [];
  readonly proposals: { readonly id: number; readonly title: string; isHired: boolean }[] = [];
  /** How often people requested each template, by its name. */
  readonly templates = new Map<string, number>();
  /** Answers to hints that differ from what their secret deserves. */
  readonly wrongHints: string[] = [];
  readonly slackFaults: SlackFaultHandle[] = [];
  hintSecret = '';
  spentOutside = 0;
  kills = 0;
  days = 0;
  /** How often the budgets of all channels were seen. */
  looks = 0;
  /** The current process survives every fault: leaks show only in one that runs for long. */
  isLasting = false;
  #looks = 0;
  readonly #storms = new Storms();
  readonly #moves: readonly (readonly [string, (play: Play) => Promise<unknown>])[];

  private constructor(options: PlayOptions, desk: Desk, dice: Dice) {
    this.options = options;
    this.desk = desk;
    this.dice = dice;
    this.began = desk.app.clock.now();
    this.#moves = MOVES.flatMap(([weights, ...move]) =>
      Array.from({ length: weights[options.about] ?? 0 }, () => move),
    );
  }

  static async begin(options: PlayOptions): Promise<Play> {
    const { seed, about, requestsPerMinute = 30 } = options;
    const limit = String(requestsPerMinute);
    const env = { MARKETPLACE_REQUESTS_PER_MINUTE: limit, DEFAULT_CHANNEL_BUDGET: '40' };
    const desk = await startDesk({ seed, empty: true, start: START, requestsPerMinute, env });
    const dice = new Dice(seed, desk.app.clock);
    const services = about === 'soak' ? { modes: drawService(dice), slack: drawSlack(dice) } : {};
    const play = new Play({ ...options, ...services }, desk, dice);
    dice.note(`the play: ${JSON.stringify(play.options)}`);
    try {
      await settleIn(play);
    } catch (thrown) {
      await desk.stop();
      throw thrown;
    }
    return play;
  }

  /** Waits for a person's action. Time passes only if the action needs it: a fault may hold it up. */
  readonly act = async <T>(action: Promise<T>): Promise<T> => {
    const { app, pass } = this.desk;
    const over = action.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([over, app.settle().then(() => false)]))) await pass(SECOND);
    await app.settle();
    return action;
  };

  person(name: string): Person {
    return createPerson({ slack: this.desk.slack, settleAfter: this.act }, name);
  }

  /** Ada types it. */
  async say(channel: string, text: string): Promise<Answer> {
    this.dice.note(`${channel}: ${text}`);
    return this.person('ada').type(`/gig ${text}`, channel);
  }

  /** A fault may take the window away: then ada asks again. */
  async settings(channel: string, part: string): Promise<Answer> {
    let window = await this.say(channel, 'settings');
    for (let left = 3; left > 0 && !window.offers(part); left--) window = await this.say(channel, 'settings');
    return window.press(part);
  }

  findSubscription(channel: string, filter: number): Subscription | undefined {
    return this.subscriptions.find(
      (it) => it.channel === channel && it.filter === filter && it.endedAt === Number.POSITIVE_INFINITY,
    );
  }

  /** Follows a filter. Notes the rules that someone asked for, and what the list shows for certain. */
  async subscribe(channel: string, filter: number, rules: string): Promise<void> {
    const { app, pass } = this.desk;
    const never = Number.POSITIVE_INFINITY;
    const begun = { channel, filter, asked: [], seenAt: never, endedAt: never };
    const own: Subscription = this.findSubscription(channel, filter) ?? begun;
    own.asked.push({ rules, at: app.clock.now() });
    if (!this.subscriptions.includes(own)) this.subscriptions.push(own);
    await this.say(channel, `subscribe filter ${filter} ${rules}`.trim());
    await pass(this.dice.pick([0, 21]) * SECOND);
    if ((await this.list(channel))?.includes(filter)) own.seenAt = Math.min(own.seenAt, app.clock.now());
  }

  /** The filters in a channel's list; undefined if a fault took the answer away. */
  async list(channel: string): Promise<readonly number[] | undefined> {
    const { text } = await this.say(channel, 'list');
    const listed = FILTERS.filter((it) => new RegExp(`\\bfilter ${it}\\b|\\(${it}\\)`, 'iu').test(text));
    return listed.length > 0 || text.includes('gets nothing') ? listed : undefined;
  }

  /** A channel's cards, oldest first, among its last `most` messages. */
  cards(channel: string, most = Number.POSITIVE_INFINITY): readonly Message[] {
    const { slack } = this.desk;
    const isCard = (post: unknown) => typeof post === 'string' && post.startsWith('card:');
    const all = slack.messages(channel).slice(-most);
    const cards = all.filter(({ metadata }) => isCard(metadata?.event_payload['post']));
    return cards.map((it) => messageAt(slack, it));
  }

  /** Replies about bids and jobs, among others. */
  replies(most = Number.POSITIVE_INFINITY): readonly Message[] {
    const heads = CHANNELS.flatMap((it) => this.desk.person('ada').reads(it).slice(-most));
    return heads.flatMap((it) => it.replies());
  }

  /** Replies about bids and approvals that wait. */
  waiting(most?: number): readonly Screen[] {
    return this.replies(most).filter((it) => it.offers('Cancel'));
  }

  /** One move of a person, of a service, or of fate. @throws when something fails that holds at any moment */
  async step(): Promise<void> {
    const [name, move] = this.dice.pick(this.#moves);
    await this.dice.try(name, () => move(this));
    await this.look();
  }

  async storm(): Promise<void> {
    await this.#storms.befall(this);
    await this.look();
  }

  /** The account's credit period ends while projects come. */
  async rollOver(): Promise<void> {
    const { app, market, pass } = this.desk;
    this.dice.note('a new credit period');
    const beforeMs = this.dice.pick([500, 5 * SECOND, 30 * SECOND]);
    app.clock.simulateMachineSleep(market.service.creditsResetAt() - app.clock.now() - MINUTE);
    await pass(MINUTE - beforeMs);
    await publish(this);
    await pass(2 * beforeMs);
    await publish(this);
  }

  /** What holds at every moment. */
  async look(): Promise<void> {
    const { app, market } = this.desk;
    await app.settle();
    for (const [at, { answered, lost }] of market.requests(PATHS.bid).entries())
      if (!answered && !lost) this.openAt.set(at, app.clock.now());
    // Bids cost no credits.
    if (this.options.about !== 'bids' || this.#looks++ % 5 === 0) await expectWithinBudgets(this);
  }

  /** Another simulated day. @throws as `step` does */
  async day(): Promise<void> {
    const { dice, options } = this;
    const { app } = this.desk;
    const end = app.clock.now() + DAY;
    await this.#beginDay();
    while (app.clock.now() < end) {
      await (dice.share() < STORMY ? this.storm() : this.step());
      const left = Math.max(0, end - app.clock.now());
      await app.pass(Math.min(dice.pause(DAY / (options.moments ?? MOMENTS)), left), STEP_MS);
    }
  }

  /** Some hours with every kind of storm, for machines without time for days. @throws as `step` does */
  async hours(): Promise<void> {
    await this.#beginDay();
    for (let storm = 0; storm < Storms.kinds; storm++) {
      for (let move = 0; move < MOVES_A_STORM; move++) {
        await this.step();
        await this.desk.app.pass(this.dice.pause(5 * MINUTE), STEP_MS);
      }
      await this.storm();
    }
  }

  /** Resumes paused subscriptions and raises used-up budgets: otherwise activity would fade out. */
  async #beginDay(): Promise<void> {
    this.days++;
    this.dice.note(`day ${this.days}`);
    const credits = this.days * CREDITS_A_DAY;
    for (const line of ['pause off', `budget ${credits}`])
      for (const channel of CHANNELS) await this.dice.try(line, () => this.say(channel, line));
  }

  /** Ends all faults, gives everyone credits, and lets everything finish. */
  async calm(): Promise<void> {
    const { options, desk } = this;
    const { market, pass } = desk;
    this.dice.note('calm');
    this.#clearUp();
    market.service.setModes(options.modes ?? {});
    await pass(MINUTE);
    if (options.poor) market.service.topUpCredits(5_000);
    for (const channel of CHANNELS) {
      await this.beQuiet(channel, null);
      for (const line of ['pause off', 'budget off']) await this.say(channel, line);
    }
    // Answers to these prove what became of requests that a fault cut off.
    for (const filter of options.about === 'soak' ? [101, 102] : [101])
      await this.subscribe('web', filter, '');
    await pass(CALM_MS);
    for (const message of this.waiting()) await this.person('ada').press(message, 'Cancel');
    await this.#openSummaries();
    await pass(2 * MINUTE);
    await this.look();
  }

  #clearUp(): void {
    const { app, slack, market } = this.desk;
    market.service.clearFaults();
    for (const fault of this.slackFaults) fault.cancel();
    slack.refuseSockets(undefined);
    app.room.full = false;
    app.skew.ms = 0;
  }

  /** From now on for some minutes; null ends it. */
  async beQuiet(channel: string, minutes: number | null): Promise<void> {
    const { app } = this.desk;
    const timeAt = (ms: number) => new Date(app.clock.now() + ms).toISOString().slice(11, 16);
    const hours = { 'Quiet from': timeAt(-MINUTE), 'Quiet until': timeAt((minutes ?? 0) * MINUTE) };
    const form = await this.settings(channel, 'Quiet Hours');
    this.endQuiet(channel);
    const days = minutes === null ? null : ['Every day'];
    await form.send({ 'Quiet hours': days, ...(days ? hours : {}) });
    await this.person('ada').close();
    const { text } = await this.say(channel, 'list');
    const from = app.clock.now();
    const until = Math.floor(from / MINUTE + (minutes ?? 0)) * MINUTE;
    if (text.includes('They are on now')) this.quiet.push({ channel, from, until });
  }

  /** Nobody knows from now on. */
  endQuiet(channel: string): void {
    const now = this.desk.app.clock.now();
    for (const it of this.quiet) if (it.channel === channel) it.until = Math.min(it.until, now);
  }

  /** Until every project has a card. */
  async #openSummaries(): Promise<void> {
    const ada = this.person('ada');
    const offered = (on: Screen) => SHOW.find((it) => on.offers(it));
    for (const channel of CHANNELS)
      for (const message of ada.reads(channel))
        for (let label = offered(message); label !== undefined; label = offered(message)) {
          await ada.press(message, label);
          await this.desk.pass(10 * SECOND);
        }
  }
}
