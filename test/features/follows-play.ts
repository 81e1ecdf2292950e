/**
 * A random simulation of personal follow in the whole app: people with several rules join and leave channels
 * and mute, while Slack fails and the process is killed.
 */
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { HOUR, type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { posts } from '../../src/outbox/posts.ts';
import { type ReadTransaction, scanCollection } from '../../src/storage/store.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { seededRandom } from '../seeded-random.ts';
import { SLACK_TROUBLE } from './books-troubles.ts';
import { directChannel, follow, followed } from './follow-desk.ts';
import { FAST, postOf, startWorld, type World } from './world.ts';

/** Each channel's filters; one filter is in two channels. */
const CHANNELS: Readonly<Record<string, readonly number[]>> = { web: [101], data: [102], ops: [101, 103] };
const FILTERS = [101, 102, 103];
const PEOPLE = ['ada', 'ben', 'cem'];
const TITLES = ['A lion tamer', 'A zebra rider', 'A bear trainer'];
const RULES = ['101', 'filter 102 lion', 'filter 103 -bear', 'lion', '-zebra', 'budget:>2000', 'zebra'];
/** What Slack said counts for 5 minutes; people's data for 5 more. */
const REMEMBERED_MS = 10 * MINUTE;

interface Span {
  readonly from: Instant;
  until: Instant;
}

/** A person got a project, from a channel. */
interface Got {
  readonly user: string;
  readonly project: string;
  readonly channel: string;
  readonly at: Instant;
}

/** What people got, as stored. */
async function readGot(tx: ReadTransaction, team: TeamId): Promise<readonly Got[]> {
  const got: Got[] = [];
  for await (const { value } of scanCollection(tx, posts, { prefix: [team] })) {
    const { content, channel: user, order: at } = value;
    const items =
      content.kind === 'followed-project' ? [content] : content.kind === 'followed-list' ? content.items : [];
    for (const { project, channel } of items) got.push({ user, project, channel, at });
  }
  return got;
}

export class FollowsGame {
  readonly world: World;
  readonly steps: string[] = [];
  readonly #random: () => number;
  /** By person and channel. */
  readonly #memberships = new Map<string, Span[]>();
  /** By person. */
  readonly #mutes = new Map<string, Span[]>();

  private constructor(world: World, seed: number) {
    this.world = world;
    this.#random = seededRandom(seed * 6_007 + 3);
  }

  static async begin(seed: number): Promise<FollowsGame> {
    const world = await startWorld({ ...FAST, seed });
    const { slack } = world;
    slack.addUser({ name: 'cem' });
    slack.addUser({ name: 'eve', admin: true });
    slack.addChannel({ name: 'ops' });
    slack.inviteBot('ops');
    for (const id of FILTERS) world.marketplace.addFilter({ id });
    const game = new FollowsGame(world, seed);
    for (const [channel, filters] of Object.entries(CHANNELS)) {
      slack.invite(channel, 'eve');
      for (const user of PEOPLE) {
        slack.invite(channel, user);
        game.#memberships.set(`${user} ${channel}`, [{ from: 0, until: Number.POSITIVE_INFINITY }]);
      }
      for (const filter of filters) {
        await world.gig(channel, `subscribe filter ${filter}`);
        await world.pass(20 * SECOND);
      }
    }
    for (const user of PEOPLE) for (const rule of RULES.slice(0, 3)) await follow(world, user, rule);
    return game;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  #note(text: string): void {
    this.steps.push(`${this.world.clock.now()} ${text}`);
  }

  /** One action or fault. */
  async step(): Promise<void> {
    const dice = this.#random();
    const user = this.#pick(PEOPLE);
    if (dice < 0.35) return this.#publish();
    if (dice < 0.5) return this.#pass();
    if (dice < 0.6) return this.#move(user, this.#pick(Object.keys(CHANNELS)));
    if (dice < 0.72) return this.#follow(user);
    if (dice < 0.78) return this.#mute(user);
    if (dice < 0.84) return this.#unfollow(user);
    if (dice < 0.92) return this.#trouble();
    return this.#crash();
  }

  async #publish(): Promise<void> {
    const { clock, marketplace } = this.world;
    for (let left = this.#pick([1, 2, 5, 14]); left > 0; left--) {
      const into = FILTERS.filter(() => this.#random() < 0.5);
      const budget = { type: 'fixed' as const, fixedAmount: this.#pick([500, 5_000]) };
      marketplace.publishProject(into.length > 0 ? into : 101, { title: this.#pick(TITLES), budget });
      clock.moveBy(Math.floor(this.#random() * 700));
    }
    this.#note('publish');
    await this.world.pass(this.#pick([0, 20, 60]) * SECOND);
  }

  async #pass(): Promise<void> {
    const ms = this.#pick([3 * SECOND, 30 * SECOND, 4 * MINUTE, 12 * MINUTE]);
    this.#note(`pass ${ms}`);
    await this.world.pass(ms);
  }

  async #move(user: string, channel: string): Promise<void> {
    const { slack, clock } = this.world;
    const spans = this.#memberships.get(`${user} ${channel}`) ?? [];
    const last = spans.at(-1);
    const isIn = last?.until === Number.POSITIVE_INFINITY;
    this.#note(`${user} ${isIn ? 'leaves' : 'joins'} ${channel}`);
    if (isIn) {
      slack.remove(channel, user);
      last.until = clock.now();
      return;
    }
    spans.push({ from: clock.now(), until: Number.POSITIVE_INFINITY });
    await slack.joinChannel({ user, channel });
  }

  async #follow(user: string): Promise<void> {
    const rule = this.#pick(RULES);
    this.#note(`${user}: follow ${rule}`);
    await follow(this.world, user, rule);
  }

  /**
   * Presses the first of these buttons that the list has. A failing Slack may not show the list.
   * @returns its label; undefined: nothing was pressed
   */
  async #press(user: string, ...labels: readonly string[]): Promise<string | undefined> {
    const { slack } = this.world;
    await follow(this.world, user, '');
    const list = slack.ephemerals(user, directChannel(this.world, user)).at(-1);
    if (!list) return undefined;
    const label = labels.find((each) => findPressable(list, each));
    const found = label === undefined ? undefined : findPressable(list, label);
    if (found?.kind !== 'button') return undefined;
    const { actionId, blockId, value } = found;
    await slack.press({ message: list, user, actionId, blockId, value });
    await this.world.pass(2 * SECOND);
    this.#note(`${user}: ${label}`);
    return label;
  }

  async #unfollow(user: string): Promise<void> {
    const before = this.world.clock.now();
    const ended = await this.#press(user, this.#pick(['Unfollow', 'Unfollow', 'Unfollow All']));
    // Mute may have ended with the last rule.
    if (ended) this.#endMutes(user, before);
    await this.#follow(user);
  }

  #endMutes(user: string, at: Instant): void {
    for (const span of this.#mutes.get(user) ?? []) span.until = Math.min(span.until, at);
  }

  async #mute(user: string): Promise<void> {
    const { clock } = this.world;
    const before = clock.now();
    const pressed = await this.#press(user, 'Mute', 'Unmute');
    if (pressed === 'Unmute') this.#endMutes(user, before);
    if (pressed !== 'Mute') return;
    const spans = this.#mutes.get(user) ?? [];
    this.#mutes.set(user, [...spans, { from: clock.now(), until: Number.POSITIVE_INFINITY }]);
  }

  #trouble(): void {
    const method = this.#pick(['chat.postMessage', 'users.conversations', 'users.info']);
    const effect = this.#pick(SLACK_TROUBLE);
    this.#note(`${method} ${JSON.stringify(effect)}`);
    this.world.slack.injectFault(method, effect, this.#pick([1, 2, 5]));
  }

  async #crash(): Promise<void> {
    const turns = this.#pick([0, 1, 3, 8, 21, 34]);
    this.#note(`crash after ${turns}`);
    this.world.clock.moveBy(this.#pick([0, 4, 9]) * SECOND);
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    await this.world.crash();
    await this.world.restart();
  }

  /** Faults run out, and what waits is sent. */
  async calm(): Promise<void> {
    this.#note('calm');
    await this.world.pass(5 * MINUTE);
    // Reading on would take long, and find nothing new.
    for (const channel of Object.keys(CHANNELS)) await this.world.gig(channel, 'pause', 'eve');
    await this.world.pass(HOUR, MINUTE);
  }

  #wasIn({ user, channel, at }: Got): boolean {
    const { slack } = this.world;
    const spans = this.#memberships.get(`${slack.user(user).name} ${slack.channel(channel).name}`) ?? [];
    return spans.some(({ from, until }) => from <= at && at <= until + REMEMBERED_MS);
  }

  #wasMuted({ user, at }: Got): boolean {
    const spans = this.#mutes.get(this.world.slack.user(user).name) ?? [];
    return spans.some(({ from, until }) => from < at && at < until);
  }

  /** @returns how much people got */
  async expectAllRight(): Promise<number> {
    const { world } = this;
    const team = TeamId.parse(world.slack.team.id);
    const got = await world.read((tx) => readGot(tx, team));
    const keys = got.map(({ user, project }) => `${user} ${project}`);
    expect(keys.toSorted(), 'each project once').toEqual([...new Set(keys)].toSorted());
    expect(
      got.filter((each) => !this.#wasIn(each)),
      'only from own channels',
    ).toEqual([]);
    expect(
      got.filter((each) => this.#wasMuted(each)),
      'nothing while muted',
    ).toEqual([]);
    for (const user of PEOPLE) {
      const shown = followed(world, user).map(postOf);
      expect(shown.toSorted(), `${user} reads each message once`).toEqual([...new Set(shown)].toSorted());
    }
    return got.length;
  }
}
