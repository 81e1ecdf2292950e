/**
 * Simulated days of the whole app on a manual clock: people of the desk act and all kinds of faults come, by
 * the dice of one seed. `check-soak.ts` compares what shows with the servers' own books.
 */
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { Screen } from '../kit/read-screen.ts';
import { type Desk, letBid, startDesk } from '../kit/start-desk.ts';
import { addSenders } from '../kit/template-play.ts';
import { Dice } from './dice.ts';
import { CHANNELS, MOVES, PROFILE, SHOW } from './moves.ts';
import { drawService, drawSlack } from './service.ts';
import { clearUp, Storms } from './storms.ts';

export interface SoakOptions {
  readonly seed: number;
  /** Mean number of moves and storms per day. */
  readonly moments?: number;
}

const MOMENTS = 100;
/** Early enough that a short run sees the first digest. */
const START = Date.UTC(2026, 0, 5, 6);
/** Of each channel: projects wait until the next day when it is used up. */
export const CREDITS_A_DAY = 45;
/** When idle, everything due within this time happens together, as on a slow machine. */
const STEP_MS = 8 * SECOND;
/** The share of a day's moments that are storms. */
const STORMY = 0.09;
/** Moves around each storm, in a run of hours. */
const MOVES_A_STORM = 5;
const SHORT_PAUSE_MS = 5 * MINUTE;

/** Both documented limits. */
export function requestsPerMinute({ seed }: SoakOptions): number {
  return seed % 3 === 0 ? 30 : 5;
}

export class Soak {
  readonly options: SoakOptions;
  readonly desk: Desk;
  readonly dice: Dice;
  readonly published: { readonly title: string; readonly project: ProjectWithFilterIds }[] = [];
  /** Bid forms that were sent, with what they showed. */
  readonly forms: { readonly letter: string; readonly shown: string }[] = [];
  /** What was shown where somebody pressed Approve. */
  readonly approvals = new Set<string>();
  readonly invitations: string[] = [];
  readonly proposals: { readonly id: number; readonly title: string; isHired: boolean }[] = [];
  /** How often people requested each template, by its name. */
  readonly templates = new Map<string, number>();
  readonly began: number;
  kills = 0;
  days = 0;
  /** The current process survives every fault: leaks show only in one that runs for long. */
  isLasting = false;
  readonly #storms = new Storms();
  readonly #modes: Partial<MarketplaceModes>;

  private constructor(options: SoakOptions, desk: Desk, dice: Dice, modes: Partial<MarketplaceModes>) {
    this.options = options;
    this.#modes = modes;
    this.desk = desk;
    this.dice = dice;
    this.began = desk.app.clock.now();
  }

  static async begin(options: SoakOptions): Promise<Soak> {
    const { seed } = options;
    const limit = requestsPerMinute(options);
    const desk = await startDesk({
      seed,
      start: START,
      requestsPerMinute: limit,
      env: { MARKETPLACE_REQUESTS_PER_MINUTE: String(limit), DEFAULT_CHANNEL_BUDGET: '40' },
      reviews: seed % 2 === 1,
      moreSetups: ['Slow setup'],
    });
    const dice = new Dice(seed, desk.app.clock);
    const modes = drawService(dice);
    try {
      await settleIn(desk, dice, modes);
    } catch (thrown) {
      await desk.stop();
      throw thrown;
    }
    return new Soak(options, desk, dice, modes);
  }

  /** Another simulated day. @throws when an invariant of every day is broken */
  async day(): Promise<void> {
    const { dice, options } = this;
    const { app } = this.desk;
    const end = app.clock.now() + DAY;
    await this.#beginDay();
    while (app.clock.now() < end) {
      await (dice.share() < STORMY ? this.#storm() : this.#move());
      const left = Math.max(0, end - app.clock.now());
      await app.pass(Math.min(dice.pause(DAY / (options.moments ?? MOMENTS)), left), STEP_MS);
    }
    this.#expectWithinBudgets();
  }

  /** Some hours with every kind of storm, for machines without time for days. @throws as `day` does */
  async hours(): Promise<void> {
    await this.#beginDay();
    for (let storm = 0; storm < Storms.kinds; storm++) {
      for (let move = 0; move < MOVES_A_STORM; move++) {
        await this.#move();
        await this.desk.app.pass(this.dice.pause(SHORT_PAUSE_MS), STEP_MS);
      }
      await this.#storm();
    }
    this.#expectWithinBudgets();
  }

  /** Resumes paused subscriptions and raises used-up budgets: otherwise activity would fade out. */
  async #beginDay(): Promise<void> {
    const { dice } = this;
    this.days++;
    dice.note(`day ${this.days}`);
    const credits = this.days * CREDITS_A_DAY;
    for (const line of ['pause off', `budget ${credits}`])
      for (const channel of CHANNELS) await dice.try(line, () => this.#say(line, channel));
  }

  #say(line: string, channel: string) {
    return this.desk.person('ada').type(`/gig ${line}`, channel);
  }

  #move(): Promise<void> {
    const all = MOVES.flatMap(([times, ...move]) => Array.from({ length: times }, () => move));
    const [name, move] = this.dice.pick(all);
    return this.dice.try(name, () => move(this));
  }

  #storm(): Promise<void> {
    const { app } = this.desk;
    const nothing = async () => undefined;
    return this.#storms.befall(this.isLasting ? { ...app, end: nothing, start: nothing } : app, this.dice);
  }

  /** No budget was ever higher than this. */
  #expectWithinBudgets(): void {
    const { total } = this.desk.market.service.consumedCredits();
    const most = this.days * CREDITS_A_DAY * CHANNELS.length;
    if (total > most) throw new Error(`${total} credits were charged, and the budgets have ${most}`);
  }

  /** Ends all faults, and lets everything finish. */
  async calm(): Promise<void> {
    const { dice, desk } = this;
    dice.note('calm');
    clearUp(desk.app);
    desk.market.service.setModes(this.#modes);
    await desk.app.pass(40 * MINUTE, STEP_MS);
    for (const line of ['pause off', 'budget off'])
      for (const channel of CHANNELS) await this.#say(line, channel);
    // Answers to these prove what became of requests that a fault cut off.
    for (const filter of [101, 102]) await this.#say(`subscribe filter ${filter}`, 'web');
    await desk.app.pass(HOUR, STEP_MS);
    await this.#openSummaries();
    await desk.app.pass(10 * MINUTE, SECOND);
  }

  async #openSummaries(): Promise<void> {
    const ada = this.desk.person('ada');
    const offered = (on: Screen) => SHOW.find((it) => on.offers(it));
    for (const channel of CHANNELS)
      for (const message of ada.reads(channel))
        for (let label = offered(message); label; label = offered(message)) await ada.press(message, label);
  }
}

/** Subscriptions, roles, digests, and what the services are like. */
async function settleIn(desk: Desk, dice: Dice, modes: Partial<MarketplaceModes>): Promise<void> {
  const { slack, market } = desk;
  const { historyLimit, optionalFields } = drawSlack(dice);
  dice.note(`the services: ${JSON.stringify({ modes, historyLimit, optionalFields })}`);
  market.service.setModes(modes);
  slack.setHistoryLimit(historyLimit);
  slack.setOptionalFields(optionalFields);
  slack.addChannel({ name: 'ops' });
  slack.inviteBot('ops');
  desk.person('cem');
  for (const name of ['ada', 'ben', 'cem']) slack.invite('ops', name);
  market.service.addFilter({ id: 102, name: 'Shops' });
  market.service.addProfile({ id: PROFILE, label: 'Ana Larsen', type: 'agency' });
  addSenders(desk);
  market.service.addProposal({ profileId: PROFILE, organizationId: 7 });
  market.service.addInvitation({ profileId: PROFILE, organizationId: 7, title: 'Of the past' });
  for (const channel of ['web', 'data']) await letBid(desk, ['ben', 'cem'], channel);
  const lines = [
    ['web', `subscribe invitations ${PROFILE}`],
    ['web', `subscribe outcomes ${PROFILE}`],
    ['web', 'subscribe filter 102'],
    ['data', 'subscribe filter 102 -zebra'],
    ['web', 'digest at 09:00 Europe/Berlin daily'],
    ['data', 'digest at 17:30 America/New_York weekdays'],
  ] as const;
  // These commands look things up at once, so the gate needs room.
  for (const [channel, line] of lines) {
    await desk.person('ada').type(`/gig ${line}`, channel);
    await desk.person('ada').close();
    await desk.pass(2 * MINUTE);
  }
  const { text } = await desk.person('ada').type('/gig list');
  if (!/\(31\).*\(31\)/su.test(text)) throw new Error(`not everything is followed: ${text}`);
}
