/**
 * A random game of bids. People open forms, send them (also twice, or an old one from another device),
 * approve, check and close, while the marketplace, Slack, the disk and the process fail. `bid-judge.ts`
 * judges by what anyone outside can read.
 */
import { setImmediate } from 'node:timers/promises';
import { type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import type { SimulatedJob } from '../../src/workbench/marketplace/records.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SlackFaultHandle, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import type { Input } from '../kit/person.ts';
import { fieldsOf, findField, findOption, findPressable, type Screen, screenOf } from '../kit/read-screen.ts';
import { type Desk, FAST_SETUP, FILTER, letBid, PATHS, setRules } from '../kit/start-desk.ts';
import type { Dice } from '../soak/dice.ts';
import { isForm } from './bid-forms-sent.ts';
import {
  anotherJob,
  BIDDING_PATHS,
  BIDDING_TROUBLE,
  SLACK_METHODS,
  SLACK_TROUBLE,
} from './books-troubles.ts';

export const SETUPS = [FAST_SETUP, { id: FAST_SETUP.id + 1, name: 'Slow setup' }] as const;
const PEOPLE = ['ada', 'ben', 'cem'] as const;
const CHANNELS = ['web', 'data'] as const;
const PROJECT_FIELD = 'Project link or ~ID';
const LETTER = /letter (\d+)/u;
const OPENS_FORM = ['Try Again', 'Bid', 'Bid with another setup'];
const IN_FORM = ['Check', 'Open Again', 'Try Again', 'Reload', 'Start Over', 'In 15', 'Look Up'];
const ON_MESSAGE = ['Approve', 'Check', 'Refresh', 'Proposal'];
const ENDS: readonly Partial<SimulatedJob>[] = [
  { status: 'processing' },
  { status: 'failed', errorMessage: 'Out of connects' },
  { status: 'skipped', reason: 'The daily limit is reached' },
];

export interface BidGameOptions {
  readonly seed: number;
  /** The channels' spending rules, by the labels of their form; none when absent. */
  readonly rules?: Input;
}

/** A form that someone sent. Its letter has its number, which links what comes of it. */
interface SentForm {
  readonly at: Instant;
  readonly shownAt: Instant;
  readonly text: string;
}

/** The number of the form that a letter, or a text with it, comes from. */
export function formOf(text: unknown): number | undefined {
  const found = typeof text === 'string' ? LETTER.exec(text)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
}

/** How people name a project. */
export function namesOf({ ciphertext, url, uid }: ProjectWithFilterIds): readonly string[] {
  return [ciphertext, ciphertext.slice(1), url, uid];
}

/** When a view was shown: its hash begins with the time. */
function shownAt({ hash }: SlackView): Instant {
  const [seconds, micros] = hash.split('.').map(Number);
  return (seconds ?? 0) * SECOND + Math.floor((micros ?? 0) / 1_000);
}

export class BidGame {
  readonly desk: Desk;
  readonly options: BidGameOptions;
  readonly projects: readonly ProjectWithFilterIds[];
  /** By number, from 1. */
  readonly sent = new Map<number, SentForm>();
  /** Values of the pressed buttons Approve. */
  readonly approvals = new Set<string>();
  /** When each request for a bid was still without an end, as last seen. */
  readonly openAt = new Map<number, Instant>();
  readonly #dice: Dice;
  readonly #slackFaults: SlackFaultHandle[] = [];
  readonly #oldForms: { readonly user: string; readonly view: SlackView }[] = [];
  readonly #moves: readonly (() => Promise<void>)[];

  private constructor(
    desk: Desk,
    dice: Dice,
    options: BidGameOptions,
    projects: readonly ProjectWithFilterIds[],
  ) {
    this.desk = desk;
    this.options = options;
    this.projects = projects;
    this.#dice = dice;
    this.#moves = this.#listMoves();
  }

  /** On a desk with the filter; its projects may come from another game. */
  static async join(
    desk: Desk,
    dice: Dice,
    options: BidGameOptions,
    projects: readonly ProjectWithFilterIds[],
  ): Promise<BidGame> {
    const { seed, rules } = options;
    const ada = desk.person('ada');
    for (const name of PEOPLE) desk.person(name);
    for (const { id, name } of SETUPS)
      desk.market.service.addSetup({
        id,
        name,
        filter: FILTER,
        status: 'active',
        dailyProposalsLimit: 50,
        proposalsSentToday: 0,
        reviewsJobs: (seed + id) % 3 !== 0,
      });
    for (const channel of CHANNELS) {
      await ada.type(`/gig subscribe filter ${FILTER.id}`, channel);
      await letBid(desk, ['ben', 'cem'], channel);
      if (rules) await setRules(ada, rules, channel);
    }
    return new BidGame(desk, dice, options, projects);
  }

  /** One move of a person, of a service, or of fate. */
  async step(): Promise<void> {
    await this.#dice.pick(this.#moves)();
    await this.look();
  }

  /** Notes which requests are under way. */
  async look(): Promise<void> {
    await this.desk.app.settle();
    for (const [at, { answered, lost }] of this.desk.market.requests(PATHS.bid).entries())
      if (!answered && !lost) this.openAt.set(at, this.desk.app.clock.now());
  }

  /** Ends all faults, lets everything finish, and cancels what waits. */
  async calm(): Promise<void> {
    const { app, market, pass } = this.desk;
    this.#dice.note('calm');
    app.room.full = false;
    for (const fault of this.#slackFaults) fault.cancel();
    market.service.clearFaults();
    await pass(40 * MINUTE);
    for (const message of this.waiting()) this.#press('ada', message, 'Cancel');
    await pass(2 * MINUTE);
  }

  /** Replies about bids and approvals that wait. */
  waiting(): readonly Screen[] {
    return this.replies().filter((it) => it.offers('Cancel'));
  }

  cards(): readonly Screen[] {
    const ada = this.desk.person('ada');
    return CHANNELS.flatMap((it) => ada.reads(it).filter((card) => card.offers('Details')));
  }

  replies(): readonly Screen[] {
    const ada = this.desk.person('ada');
    return CHANNELS.flatMap((it) => ada.reads(it).flatMap((message) => message.replies()));
  }

  #listMoves() {
    const dice = this.#dice;
    const { pass } = this.desk;
    const moves: readonly (readonly [weight: number, move: () => Promise<void>])[] = [
      [this.options.rules ? 30 : 0, () => this.#decide()],
      [18, () => this.#open()],
      [24, () => this.#submit()],
      [4, () => this.#submitOld()],
      [6, () => this.#pressInForm()],
      [10, () => this.#pressOnMessage()],
      [5, () => this.#openJob()],
      [3, () => this.#close()],
      [4, () => this.#moveJobs()],
      [5, async () => this.#spoil(dice.pick(BIDDING_PATHS), dice.pick([1, 1, 1, 2, 4]))],
      [6, () => this.#troubleSlack()],
      [3, () => this.#fillDisk()],
      [7, () => pass(dice.pick([20 * SECOND, MINUTE, 12 * MINUTE]))],
      [5, () => this.#kill()],
    ];
    return moves.flatMap(([weight, move]) => Array.from({ length: weight }, () => move));
  }

  /** A person's action may fail, or need the clock to move: nothing awaits it. */
  #act(what: string, act: () => Promise<unknown>): void {
    const note = (text: string) => this.#dice.note(text);
    note(what);
    void act().catch((thrown: unknown) => note(`${what}: ${thrown instanceof Error ? thrown.message : ''}`));
  }

  async #afterwards(): Promise<void> {
    await this.desk.pass(this.#dice.pick([0, 0, SECOND, 4 * SECOND, 20 * SECOND]));
  }

  /** @returns whether there is such a button */
  #press(user: string, { shown }: Pick<Screen, 'shown'>, label: string): boolean {
    const found = shown && findPressable(shown, label);
    if (!found) return false;
    const { slack } = this.desk;
    const { option, ...element } = found;
    if (element.label === 'Approve') this.approvals.add(element.value ?? '');
    const at = { ...shown, ...element, user, confirm: 'accept' } as const;
    this.#act(`${user} presses ${label} ${element.value ?? ''}`, () =>
      option === undefined ? slack.press(at) : slack.chooseOption({ ...at, option }),
    );
    return true;
  }

  /** Approves, rejects or cancels what waits; sometimes several people at once. */
  async #decide(): Promise<void> {
    const dice = this.#dice;
    const message = dice.any(this.waiting());
    if (!message) return this.#submit();
    for (const user of dice.share() < 0.4 ? PEOPLE : [dice.pick(PEOPLE)])
      this.#press(user, message, dice.pick(['Approve', 'Approve', 'Approve', 'Cancel', 'Reject']));
    if (dice.share() < 0.1) return this.#kill();
    await this.#afterwards();
  }

  /** Sometimes for several people at once: each may send without having seen the others' bids. */
  async #open(): Promise<void> {
    const dice = this.#dice;
    const card = dice.any(this.cards());
    if (!card) return;
    for (const user of dice.share() < 0.3 ? PEOPLE : [dice.pick(PEOPLE)]) this.#openFor(user, card);
    await this.#afterwards();
    const user = dice.any(PEOPLE.filter((it) => isForm(this.desk.slack.view(it))));
    if (user !== undefined && dice.share() < 0.6) await this.#submit(user);
  }

  #openFor(user: string, card: Screen): void {
    const dice = this.#dice;
    this.#keepOld(user);
    if (dice.share() < 0.75 && OPENS_FORM.some((it) => this.#press(user, card, it))) return;
    const project = this.projects.find(({ title }) => card.text.includes(title));
    if (!project) return;
    const text = `bid ${dice.pick(namesOf(project))}${dice.pick(['', ' Slow', ' 7'])}`;
    const channel = dice.pick(CHANNELS);
    this.#act(`${user}: ${text}`, () => this.desk.slack.runSlashCommand({ user, channel, text }));
  }

  /** Another device still shows the form that comes next. */
  #keepOld(user: string): void {
    const view = this.desk.slack.view(user);
    if (isForm(view)) this.#oldForms.push({ user, view });
  }

  #send(user: string, view: SlackView, times: number, asItWas?: { readonly asItWas: true }): void {
    const dice = this.#dice;
    const { slack, app } = this.desk;
    const number = this.sent.size + 1;
    const { text } = screenOf(slack, () => ({ view }));
    this.sent.set(number, { at: app.clock.now(), shownAt: shownAt(view), text });
    const project = this.projects.find(({ title }) => text.includes(title));
    const setup = findField(view, 'Bidding setup');
    const isAsked = fieldsOf(view).some(({ label }) => label === PROJECT_FIELD);
    const values = {
      [setup.blockId]: findOption(setup, dice.pick(SETUPS).name),
      [findField(view, 'Cover letter').blockId]: `letter ${number}`,
      ...(isAsked && project && dice.share() < 0.9
        ? { [findField(view, PROJECT_FIELD).blockId]: dice.pick(namesOf(project)) }
        : {}),
    };
    for (let time = 0; time < times; time++)
      this.#act(`${user} sends ${JSON.stringify(values)}`, () =>
        slack.submitView({ user, view, values, ...asItWas }),
      );
  }

  async #submit(by?: string): Promise<void> {
    const dice = this.#dice;
    const { slack } = this.desk;
    const user = by ?? dice.any(PEOPLE.filter((it) => isForm(slack.view(it))));
    const view = user === undefined ? undefined : slack.view(user);
    if (user === undefined || !isForm(view)) return this.#open();
    this.#keepOld(user);
    if (dice.share() < 0.45) this.#spoil(PATHS.bid, 1);
    this.#send(user, view, dice.share() < 0.2 ? 2 : 1);
    if (dice.share() < 0.1) return this.#kill();
    if (dice.share() < 0.1) slack.cutSockets();
    await this.#afterwards();
    if (dice.share() < 0.1) this.#sendAgain();
  }

  /** Slack repeats a submission, or another device sends an old form. */
  async #submitOld(): Promise<void> {
    const old = this.#dice.any(this.#oldForms);
    if (old && this.#dice.share() < 0.5) this.#send(old.user, old.view, 1, { asItWas: true });
    else this.#sendAgain();
    await this.#afterwards();
  }

  #sendAgain(): void {
    const all = this.desk.slack.sentRequests().filter((it) => it.payload['type'] === 'view_submission');
    const request = this.#dice.any(all.slice(-6));
    if (request) this.#act('Slack repeats a form', () => this.desk.slack.resendRequest(request));
  }

  async #pressInForm(): Promise<void> {
    const dice = this.#dice;
    const user = dice.pick(PEOPLE);
    const view = this.desk.slack.view(user);
    if (!view) return;
    const screen = { shown: { view } };
    const isPressed = IN_FORM.some((it) => dice.share() < 0.7 && this.#press(user, screen, it));
    if (!isPressed) this.#press(user, screen, dice.pick(SETUPS).name);
    await this.#afterwards();
  }

  async #pressOnMessage(): Promise<void> {
    const dice = this.#dice;
    const requests = this.replies().filter((it) => it.offers('Approve'));
    const message = dice.any([...this.cards(), ...requests]);
    const label = ON_MESSAGE.find((it) => message?.offers(it));
    if (!message || label === undefined) return this.#submit();
    if (label === 'Approve' && dice.share() < 0.4) this.#spoil(PATHS.approve, 1);
    for (const user of dice.share() < 0.3 ? PEOPLE : [dice.pick(PEOPLE)]) this.#press(user, message, label);
    await this.#afterwards();
  }

  /** Opens a job, and approves it there. */
  async #openJob(): Promise<void> {
    const dice = this.#dice;
    const job = dice.any(this.desk.market.jobs);
    if (!job) return;
    const [user, channel, text] = [dice.pick(PEOPLE), dice.pick(CHANNELS), `job ${job.id}`];
    this.#act(`${user}: ${text}`, () => this.desk.slack.runSlashCommand({ user, channel, text }));
    await this.desk.pass(2 * SECOND);
    const answer = this.desk.person(user).notes(channel).at(-1);
    if (answer && dice.share() < 0.5) this.#press(user, answer, 'Approve');
    await this.#afterwards();
  }

  async #close(): Promise<void> {
    const user = this.#dice.pick(PEOPLE);
    this.#keepOld(user);
    this.#act(`${user} closes`, () => this.desk.slack.closeView({ user, all: true }));
    await this.#afterwards();
  }

  /** The marketplace advances a job, or a setup reaches its limit. */
  async #moveJobs(): Promise<void> {
    const dice = this.#dice;
    const { service } = this.desk.market;
    const job = dice.any(service.jobs().filter(({ status }) => status === 'scheduled'));
    if (job && dice.share() < 0.6) service.updateJob(job.id, dice.pick(ENDS));
    else {
      const exhausted = dice.pick(['monthly limit', undefined]);
      service.updateSetup(dice.pick(SETUPS).id, { exhausted } as object);
    }
    dice.note('the marketplace moves on');
    await this.#afterwards();
  }

  #spoil(path: string, times: number): void {
    const job = this.#dice.any(this.desk.market.jobs);
    const effect = this.#dice.pick([...BIDDING_TROUBLE, anotherJob(job?.id)]);
    this.#dice.note(`fault ${path} ${JSON.stringify(effect)} x${times}`);
    this.desk.market.fail(path, effect, times);
  }

  async #troubleSlack(): Promise<void> {
    const dice = this.#dice;
    const [method, effect] = [dice.pick(SLACK_METHODS), dice.pick(SLACK_TROUBLE)];
    dice.note(`Slack fault ${method} ${JSON.stringify(effect)}`);
    this.#slackFaults.push(this.desk.slack.injectFault(method, effect, dice.pick([1, 2, 3])));
    await this.#afterwards();
  }

  async #fillDisk(): Promise<void> {
    const { app, pass } = this.desk;
    this.#dice.note('the disk is full');
    app.room.full = true;
    await (this.#dice.share() < 0.5 ? this.#submit() : this.#pressOnMessage());
    await pass(this.#dice.pick([2, 30, 90]) * SECOND);
    app.room.full = false;
  }

  async #kill(): Promise<void> {
    const { app, market } = this.desk;
    const turns = this.#dice.pick([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]);
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    this.#dice.note(`killed after ${turns} turns`);
    await app.kill();
    // Requests of a dead process are never finished.
    market.service.dropConnections();
    app.room.full = false;
    app.clock.moveBy(this.#dice.pick([0, 1, 30]) * SECOND);
    await app.start();
  }
}
