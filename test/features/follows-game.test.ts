/**
 * Whatever people do and whatever fails: each project once, and only from channels that a person is in.
 * People with several rules join and leave channels and mute, while Slack fails and the process is killed.
 */
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import { seedsToPlay } from '../fuzz/fuzz.ts';
import type { Answer, Person } from '../kit/person.ts';
import { type Desk, startDesk } from '../kit/start-desk.ts';
import { SLACK_TROUBLE } from '../play/troubles.ts';
import { seededRandom } from '../seeded-random.ts';

const STEPS = 40;
/** Each channel's filters; one filter is in two channels. */
const CHANNELS: Readonly<Record<string, readonly number[]>> = { web: [101], data: [102], ops: [101, 103] };
const TITLES = ['lion tamer', 'zebra rider', 'bear trainer'];
const RULES = ['101', 'filter 102 lion', 'filter 103 -bear', 'lion', '-zebra', 'budget:>2000', 'zebra'];
const METHODS = ['chat.postMessage', 'users.conversations', 'users.info'];
/** What Slack said counts for 5 minutes; people's data for 5 more. */
const REMEMBERED_MS = 10 * MINUTE;

interface Span {
  readonly from: Instant;
  until: Instant;
}

const startSpan = (spans: Span[], from: Instant) => spans.push({ from, until: Number.POSITIVE_INFINITY });

function endSpans(spans: readonly Span[], at: Instant): void {
  for (const span of spans) span.until = Math.min(span.until, at);
}

class Game {
  readonly steps: string[] = [];
  readonly #desk: Desk;
  readonly #people: readonly Person[];
  readonly #random: () => number;
  /** By person and channel, and by muted person. */
  readonly #spans = new Map<string, Span[]>();
  #published = 0;

  constructor(desk: Desk, seed: number) {
    this.#desk = desk;
    this.#random = seededRandom(seed * 6_007 + 3);
    this.#people = ['dan', 'ben', 'cem'].map((name) => desk.person(name));
  }

  get #now(): Instant {
    return this.#desk.app.clock.now();
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  #spansOf(key: string): Span[] {
    const spans = this.#spans.get(key) ?? [];
    this.#spans.set(key, spans);
    return spans;
  }

  async begin(): Promise<void> {
    const { slack, market } = this.#desk;
    const eve = this.#desk.person('eve', { admin: true });
    for (const [channel, filters] of Object.entries(CHANNELS)) {
      for (const { id, name } of [...this.#people, eve]) {
        slack.invite(channel, id);
        startSpan(this.#spansOf(`${name} ${channel}`), 0);
      }
      for (const id of filters) {
        market.service.addFilter({ id });
        await eve.type(`/gig subscribe filter ${id}`, channel);
      }
    }
    await this.#desk.pass(20 * SECOND);
    for (const person of this.#people) for (const rule of RULES.slice(0, 3)) await this.#ask(person, rule);
  }

  step(): Promise<void> {
    const dice = this.#random();
    const person = this.#pick(this.#people);
    this.steps.push(`${this.#now} ${person.name} ${dice}`);
    if (dice < 0.4) return this.#publish();
    if (dice < 0.5) return this.#desk.pass(this.#pick([3 * SECOND, 30 * SECOND, 4 * MINUTE]));
    if (dice < 0.6) return this.#move(person, this.#pick(Object.keys(CHANNELS)));
    if (dice < 0.72) return this.#follow(person);
    if (dice < 0.8) return this.#press(person, ['Unmute', 'Mute']);
    if (dice < 0.85) return this.#press(person, [this.#pick(['Unfollow', 'Unfollow All'])]);
    return dice < 0.93 ? this.#trouble() : this.#kill();
  }

  /** Each project has a number of its own, so that it is found in messages. */
  async #publish(): Promise<void> {
    for (let left = this.#pick([1, 2, 5, 14]); left > 0; left--) {
      const into = [101, 102, 103].filter(() => this.#random() < 0.5);
      const title = `${this.#pick(TITLES)} №${this.#published++}.`;
      const budget = { type: 'fixed' as const, fixedAmount: this.#pick([500, 5_000]) };
      this.#desk.market.publish({ title, budget }, into.length > 0 ? into : 101);
    }
    await this.#desk.pass(this.#pick([0, 20, 60]) * SECOND);
  }

  async #move({ name, id }: Person, channel: string): Promise<void> {
    const { slack } = this.#desk;
    const spans = this.#spansOf(`${name} ${channel}`);
    if ((spans.at(-1)?.until ?? 0) > this.#now) {
      slack.remove(channel, id);
      return endSpans(spans, this.#now);
    }
    startSpan(spans, this.#now);
    await slack.joinChannel({ user: name, channel });
  }

  /** In a direct message, wherever the person is. */
  #ask({ name, id, type }: Person, rule = ''): Promise<Answer> {
    const { slack } = this.#desk;
    slack.directMessages(name);
    const direct = slack.channels().find((it) => it.kind === 'im' && it.members.includes(id));
    return type(`/gig follow ${rule}`.trim(), direct?.id);
  }

  async #follow(person: Person): Promise<void> {
    await this.#ask(person, this.#pick(RULES));
  }

  /** Presses the first of these that the person's list has; a failing Slack may not show the list. */
  async #press(person: Person, labels: readonly string[]): Promise<void> {
    const before = this.#now;
    const list = await this.#ask(person);
    const label = labels.find((it) => list.offers(it));
    if (label === undefined) return;
    await list.press(label);
    const muted = this.#spansOf(`muted ${person.name}`);
    // Mute may have ended with the last rule.
    if (label !== 'Mute') return endSpans(muted, before);
    startSpan(muted, this.#now);
  }

  async #trouble(): Promise<void> {
    this.#desk.slack.injectFault(this.#pick(METHODS), this.#pick(SLACK_TROUBLE), this.#pick([1, 2, 5]));
  }

  async #kill(): Promise<void> {
    this.#desk.app.clock.moveBy(this.#pick([0, 4, 9]) * SECOND);
    for (let turn = this.#pick([0, 1, 3, 8, 21, 34]); turn > 0; turn--) await setImmediate();
    await this.#desk.app.kill();
    await this.#desk.app.start();
  }

  #wasIn(name: string, channel: string, at: Instant): boolean {
    const spans = this.#spansOf(`${name} ${channel}`);
    return spans.some(({ from, until }) => from <= at && at <= until + REMEMBERED_MS);
  }

  /** Faults run out, and what waits is sent. @returns how much people got */
  async end(): Promise<number> {
    await this.#desk.pass(15 * MINUTE);
    let count = 0;
    for (const { name, inbox } of this.#people) {
      const messages = inbox().map(({ text, ts }) => ({ text, at: Number(ts) * SECOND }));
      const got = messages.flatMap(({ text }) => text.match(/№\d+\./gu) ?? []);
      const each = messages.flatMap(({ text }) => [...new Set(text.match(/№\d+\./gu))]);
      expect(each.toSorted(), `${name} gets each project once`).toEqual([...new Set(got)].toSorted());
      for (const { text, at } of messages)
        for (const [, channel = ''] of text.matchAll(/#(web|data|ops)\b/gu))
          expect(this.#wasIn(name, channel, at), `${name} is in ${channel}: ${text}`).toBe(true);
      const muted = this.#spansOf(`muted ${name}`);
      const late = messages.filter(({ at }) =>
        muted.some(({ from, until }) => from + MINUTE < at && at < until),
      );
      expect(late, `${name} is muted`).toEqual([]);
      count += each.length;
    }
    return count;
  }
}

it.each(seedsToPlay([1, 2]))(
  'a person gets each project once, and only from their channels (seed %i)',
  async (seed) => {
    const desk = await startDesk({
      empty: true,
      seed,
      requestsPerMinute: 500,
      env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' },
    });
    onTestFinished(desk.stop);
    desk.slack.addChannel({ name: 'ops' });
    const game = new Game(desk, seed);
    await game.begin();
    try {
      for (let step = 0; step < STEPS; step++) await game.step();
      // A game in which nobody gets anything would prove nothing. In some, everyone mutes early.
      expect(await game.end()).toBeGreaterThan(5);
    } catch (thrown) {
      throw new Error(`after these steps:\n${game.steps.join('\n')}`, { cause: thrown });
    }
  },
  60_000,
);
