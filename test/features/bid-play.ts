/**
 * A random simulation of bids. People open forms, send them (also twice, or from a device with an old one),
 * approve, check and close, while the marketplace, Slack, the disk and the process fail. `bid-books-check.ts`
 * checks the books.
 */
import { setImmediate } from 'node:timers/promises';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable, type Pressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackFaultHandle, SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { seededRandom } from '../seeded-random.ts';
import { Attempts } from './bid-attempts.ts';
import {
  type Approving,
  asksForId,
  believesAnyId,
  idIn,
  isForm,
  letterOf,
  type Sent,
  shownAt,
} from './bid-forms-sent.ts';
import {
  addBidders,
  CHANNELS,
  listHeld,
  listRequests,
  moveJobOrSetup,
  PEOPLE,
  publishForBids,
  SETUPS,
} from './bid-people.ts';
import { wordsOfView } from './bidder.ts';
import {
  anotherJob,
  BIDDING_PATHS,
  BIDDING_TROUBLE,
  SLACK_METHODS,
  SLACK_TROUBLE,
} from './books-troubles.ts';
import { idsOf, ProjectNames } from './project-names.ts';
import { type BidBooks, readBidBooks } from './read-bid-books.ts';
import { projectOf, startWorld, type World } from './world.ts';

const [CREATE, APPROVE] = ['/auto-bidding/jobs/create', '/auto-bidding/jobs/*/approve'];

export interface BidGameOptions {
  readonly seed: number;
  readonly steps: number;
  /** How many recent projects and cards per channel people act on; all when absent. */
  readonly newest?: number;
  /** With all spellings of projects, and long letters. */
  readonly variety?: boolean;
  /** The channels' rules for spending; none when absent. */
  readonly rules?: Readonly<Record<string, string>>;
}

export class BidGame {
  readonly world: World;
  readonly steps: string[];
  readonly projects: readonly ProjectWithFilterIds[];
  readonly sent: Sent[] = [];
  readonly approving: Approving[] = [];
  readonly attempts = new Attempts();
  readonly names: ProjectNames;
  readonly #options: BidGameOptions;
  readonly #random: () => number;
  readonly #slackFaults: SlackFaultHandle[] = [];
  readonly #oldForms: { readonly user: string; readonly view: SlackView }[] = [];

  private constructor(
    world: World,
    options: BidGameOptions,
    projects: readonly ProjectWithFilterIds[],
    steps: string[],
  ) {
    this.world = world;
    this.#options = options;
    this.projects = projects;
    this.names = new ProjectNames(projects);
    this.#random = seededRandom(options.seed * 104_729 + 7);
    this.steps = steps;
  }

  /** Shares its world with another simulation that publishes `projects`; `steps` records the events. */
  static async join(
    world: World,
    options: BidGameOptions,
    projects: readonly ProjectWithFilterIds[],
    steps: string[] = [],
  ): Promise<BidGame> {
    await addBidders(world, options);
    return new BidGame(world, options, projects, steps);
  }

  static async begin(options: BidGameOptions): Promise<BidGame> {
    const world = await startWorld({ seed: options.seed });
    world.marketplace.addFilter({ id: 101, name: 'React work' });
    const projects: ProjectWithFilterIds[] = [];
    const game = await BidGame.join(world, options, projects);
    await publishForBids(world, projects);
    return game;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  #newest<T>(of: readonly T[]): readonly T[] {
    return of.slice(-(this.#options.newest ?? of.length));
  }

  #note(text: string): void {
    this.steps.push(`${this.world.clock.now()} ${text}`);
  }

  /** @param check the invariants after every step */
  async play(check: () => void): Promise<void> {
    for (let step = 0; step < this.#options.steps; step++) {
      await this.step();
      check();
    }
  }

  /** One user action or fault. */
  async step(): Promise<void> {
    await this.#step();
    await this.look();
  }

  #step(): Promise<void> {
    if (this.#options.rules && this.#random() < 0.25) return this.#decideHeld();
    const dice = this.#random();
    if (dice < 0.18) return this.#open();
    if (dice < 0.42) return this.#submit();
    if (dice < 0.46) return this.#submitOld();
    if (dice < 0.52) return this.#pressInView();
    if (dice < 0.62) return this.#pressOnCard();
    if (dice < 0.67) return this.#job();
    if (dice < 0.7) return this.#close();
    if (dice < 0.74) return this.#moveJob();
    if (dice < 0.79) return this.#troubleMarketplace();
    if (dice < 0.85) return this.#troubleSlack();
    if (dice < 0.88) return this.#fillDisk();
    if (dice < 0.95) return this.world.pass(this.#pick([20 * SECOND, MINUTE, 12 * MINUTE]));
    return this.#crash();
  }

  /** A user action may fail, or may need the clock to move to finish: don't await it. */
  #act(what: string, act: () => Promise<unknown>): void {
    this.#note(what);
    void Promise.resolve()
      .then(act)
      .catch((thrown: unknown) => this.#note(`${what}: ${thrown instanceof Error ? thrown.message : ''}`));
  }

  async #afterwards(): Promise<void> {
    await this.world.pass(this.#pick([0, 0, SECOND, 4 * SECOND, 20 * SECOND]));
  }

  #cards(): readonly SlackMessage[] {
    return CHANNELS.flatMap((it) => this.#newest(this.world.cards(it)));
  }

  /** Approves, rejects or cancels what waits; sometimes several people at once. */
  async #decideHeld(): Promise<void> {
    const message = this.#pick(listHeld(this.world));
    if (!message) return this.#submit();
    const who = this.#random() < 0.4 ? PEOPLE : [this.#pick(PEOPLE)];
    for (const user of who) {
      const label = this.#pick(['Approve', 'Approve', 'Approve', 'Cancel', 'Reject']);
      const found = findPressable(message, label);
      if (found) this.#press(user, { message }, found);
    }
    if (this.#random() < 0.1) return this.#crash();
    await this.#afterwards();
  }

  #press(user: string, on: { message: SlackMessage } | { view: SlackView }, found: Pressable): void {
    const { slack } = this.world;
    const { actionId, blockId } = found;
    if (actionId === 'job_approve' && found.kind === 'button') {
      this.approving.push(JSON.parse(found.value) as Approving);
      if (this.#random() < 0.4) this.#spoil(APPROVE, 1);
    }
    const at = { ...on, user, actionId, blockId };
    this.#act(`${user} presses ${actionId} ${found.kind === 'button' ? found.value : found.option}`, () =>
      found.kind === 'button'
        ? slack.press({ ...at, value: found.value, confirm: 'accept' })
        : slack.chooseOption({ ...at, option: found.option }),
    );
  }

  async #open(): Promise<void> {
    const user = this.#pick(PEOPLE);
    this.#keepOld(user);
    const message = this.#pick(this.#cards());
    if (!message) return;
    const found = ['Try Again', 'Bid', 'Bid with another setup']
      .map((words) => findPressable(message, words))
      .find(Boolean);
    if (found && this.#random() < 0.75) this.#press(user, { message }, found);
    else {
      const text = `bid ${this.#nameOn(message)}${this.#pick(['', ' Slow', ' 7'])}`;
      this.#act(`${user}: /gig ${text}`, () =>
        this.world.slack.runSlashCommand({ user, channel: this.#pick(CHANNELS), text }),
      );
    }
    await this.#afterwards();
    const view = this.world.slack.view(user);
    if (isForm(view) && this.#random() < 0.6) await this.#submit(user);
  }

  #nameOn(card: SlackMessage): string {
    const project = this.#options.variety ? this.names.find(projectOf(card)) : undefined;
    return project ? this.#pick(idsOf(project)) : projectOf(card);
  }

  /** Another device still shows the form that this one replaces. */
  #keepOld(user: string): void {
    const view = this.world.slack.view(user);
    if (isForm(view)) this.#oldForms.push({ user, view });
  }

  #values(view: SlackView) {
    const number = this.sent.length + 1;
    this.sent.push({ number, shownAt: shownAt(view), words: wordsOfView(view) });
    const named = this.names.find(idIn(view.blocks)) ?? this.names.findLinked(wordsOfView(view));
    const asked = believesAnyId(view) ? named : undefined;
    const ids = idsOf(asked ?? this.#pick(this.#newest(this.projects)));
    return {
      setup: String(this.#pick(SETUPS)),
      cover_letter: letterOf(number, this.#options.variety === true && this.#random() < 0.1),
      ...(asksForId(view.blocks) && this.#random() < (asked ? 0.9 : 0.2) && { job_id: this.#pick(ids) }),
    };
  }

  async #submit(by?: string): Promise<void> {
    const user = by ?? this.#pick([...PEOPLE.filter((it) => isForm(this.world.slack.view(it))), '']);
    const view = user ? this.world.slack.view(user) : undefined;
    if (!user || !isForm(view)) return this.#open();
    this.#keepOld(user);
    if (this.#random() < 0.45) this.#spoil(CREATE, 1);
    const times = this.#random() < 0.2 ? 2 : 1;
    const values = this.#values(view);
    for (let time = 0; time < times; time++)
      this.#act(`${user} sends ${JSON.stringify(values)}`, () =>
        this.world.slack.submitView({ user, view, values }),
      );
    if (this.#random() < 0.1) return this.#crash();
    if (this.#random() < 0.1) this.world.slack.cutSockets();
    await this.#afterwards();
    if (this.#random() < 0.1) this.#sendAgain();
  }

  /** Slack repeats a submission, or another device submits an old form. */
  async #submitOld(): Promise<void> {
    if (this.#random() < 0.5) this.#sendAgain();
    else {
      const old = this.#pick(this.#oldForms);
      if (!old) return;
      const { user, view } = old;
      const values = this.#values(view);
      this.#act(`${user} sends an old form ${JSON.stringify(values)}`, () =>
        this.world.slack.submitView({ user, view, values, asItWas: true }),
      );
    }
    await this.#afterwards();
  }

  #sendAgain(): void {
    const all = this.world.slack
      .sentRequests()
      .filter(({ payload }) => payload['type'] === 'view_submission');
    const request = this.#pick(all.slice(-6));
    if (request) this.#act('Slack repeats a submission', () => this.world.slack.resendRequest(request));
  }

  async #pressInView(): Promise<void> {
    const user = this.#pick(PEOPLE);
    const view = this.world.slack.view(user);
    if (!view) return;
    const found = ['Check', 'Open Again', 'Try Again', 'Reload', 'Start Over', 'In 15', 'Look Up']
      .filter(() => this.#random() < 0.7)
      .map((words) => findPressable(view, words))
      .find(Boolean);
    if (found) this.#press(user, { view }, found);
    else if (isForm(view)) {
      const option = String(this.#pick(SETUPS));
      this.#act(`${user} chooses ${option}`, () =>
        this.world.slack.chooseOption({ user, view, actionId: 'bid_setup', option }),
      );
    }
    await this.#afterwards();
  }

  async #pressOnCard(): Promise<void> {
    const message = this.#pick([...this.#cards(), ...this.#newest(listRequests(this.world))]);
    if (!message) return;
    const offered = ['Approve', 'Check', 'Refresh', 'Proposal'];
    const found = offered.map((words) => findPressable(message, words)).find(Boolean);
    if (!found) return this.#submit();
    const who = this.#random() < 0.3 ? PEOPLE : [this.#pick(PEOPLE)];
    for (const user of who) this.#press(user, { message }, found);
    await this.#afterwards();
  }

  /** Opens a job, and approves the shown one. */
  async #job(): Promise<void> {
    const job = this.#pick(this.world.marketplace.jobs());
    if (!job) return;
    const [user, channel, text] = [this.#pick(PEOPLE), this.#pick(CHANNELS), `job ${job.id}`];
    this.#act(`${user}: /gig ${text}`, () => this.world.slack.runSlashCommand({ user, channel, text }));
    await this.world.pass(2 * SECOND);
    const shown = this.world.slack.ephemerals(user, channel).at(-1);
    const found = shown && findPressable(shown, 'Approve');
    if (shown && found && this.#random() < 0.5) this.#press(user, { message: shown }, found);
    await this.#afterwards();
  }

  async #close(): Promise<void> {
    const user = this.#pick(PEOPLE);
    this.#keepOld(user);
    this.#act(`${user} closes`, () => this.world.slack.closeView({ user, all: true }));
    await this.#afterwards();
  }

  /** The marketplace advances a job, or a setup reaches its limit. */
  async #moveJob(): Promise<void> {
    this.#note(moveJobOrSetup(this.world, this.#random));
    await this.#afterwards();
  }

  async #troubleMarketplace(): Promise<void> {
    this.#spoil(this.#pick(BIDDING_PATHS), this.#pick([1, 1, 1, 2, 4]));
    await this.#afterwards();
  }

  #spoil(path: string, times: number): void {
    const job = this.#pick(this.world.marketplace.jobs());
    const effect = this.#pick([...BIDDING_TROUBLE, anotherJob(job?.id)]);
    this.#note(`fault ${path} ${JSON.stringify(effect)} x${times}`);
    this.world.marketplace.injectFault({ path }, effect, times);
  }

  async #troubleSlack(): Promise<void> {
    const method = this.#pick(SLACK_METHODS);
    const effect = this.#pick(SLACK_TROUBLE);
    const times = this.#pick([1, 2, 3]);
    this.#note(`slack fault ${method} ${JSON.stringify(effect)} x${times}`);
    this.#slackFaults.push(this.world.slack.injectFault(method, effect, times));
    await this.#afterwards();
  }

  async #fillDisk(): Promise<void> {
    this.#note('the disk is full');
    this.world.room.full = true;
    await (this.#random() < 0.5 ? this.#submit() : this.#pressOnCard());
    await this.world.pass(this.#pick([2, 30, 90]) * SECOND);
    this.#note('the disk has room');
    this.world.room.full = false;
  }

  async #crash(): Promise<void> {
    const turns = this.#pick([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]);
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    this.#note(`crash after ${turns}`);
    await this.world.crash();
    // Requests of a dead process are never finished.
    this.world.marketplace.dropConnections();
    this.world.room.full = false;
    this.world.clock.moveBy(this.#pick([0, 1, 30]) * SECOND);
    await this.world.restart();
  }

  books(): Promise<BidBooks> {
    return this.world.read((tx) => readBidBooks(tx, this.world.slack.team.id));
  }

  /** Records facts that later checks need from this moment. */
  async look(): Promise<void> {
    await this.world.pass(0);
    this.attempts.note(await this.books());
  }

  /** Ends all faults and finishes all pending work. */
  async calm(stepMs = 0): Promise<void> {
    const { marketplace, room } = this.world;
    this.#note('calm');
    room.full = false;
    for (const fault of this.#slackFaults) fault.cancel();
    marketplace.clearFaults();
    for (let minutes = 0; minutes < 40; minutes += 4) await this.world.pass(4 * MINUTE, stepMs);
    for (const message of listHeld(this.world)) {
      const found = findPressable(message, 'Cancel');
      if (found) this.#press('ada', { message }, found);
    }
    await this.world.pass(2 * MINUTE, stepMs);
    await this.look();
  }
}
