/**
 * A workspace beside processes: its own Slack and its own marketplace, full of its own marker, on a fast
 * clock. Its people act in real time.
 */
import { type Clock, type Instant, machineClock, SECOND } from '../../src/clock.ts';
import { fastClock } from '../../src/workbench/clocks.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack, SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { createPerson, type Person } from '../kit/person.ts';
import { messageAt } from '../kit/read-screen.ts';
import { letBid } from '../kit/start-desk.ts';
import { seededRandom } from '../seeded-random.ts';
import type { Environment } from './app-process.ts';
import { until } from './until.ts';

/** No budget and no account ends a play. */
export const ENOUGH_CREDITS = 1_000_000;
const CHANNELS = ['web', 'data'];
/** On summaries of cards. */
const SHOWS_MORE = ['Show Best', 'Show All', 'Show Card'];
/** A subscription begins at an exact second, and projects have dates in whole seconds. */
const AFTER_SUBSCRIBING_MS = 2 * SECOND;
/** In real time: while no replica answers, people type again. */
const PEOPLE_REPEAT_MS = SECOND / 2;

/** A clock that processes share. Timeouts of people and of a database are real. */
export interface FastTime {
  readonly clock: Clock;
  readonly speed: number;
  readonly began: Instant;
}

export function startTime(speed: number): FastTime {
  const began = machineClock.now();
  return { clock: fastClock(speed, began), speed, began };
}

/** The message's post, such as `card:C1:~021`; empty for an answer. */
export function postOf({ metadata }: SlackMessage): string {
  const post = metadata?.event_payload['post'];
  return typeof post === 'string' ? post : '';
}

const isCard = (message: SlackMessage) => postOf(message).startsWith('card:');

interface WorkspaceOptions {
  /** Of several. */
  readonly number?: number;
  readonly seed?: number;
  readonly requestsPerMinute?: number;
  readonly reviewsJobs?: boolean;
  /** How long people wait for an answer, in real ms. */
  readonly patienceMs?: number;
}

export class Workspace {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  readonly time: FastTime;
  readonly marker: string;
  readonly filters: readonly number[];
  readonly requestsPerMinute: number;
  /** Projects, with the channels that follow one of their filters. */
  readonly published: { readonly id: string; readonly channels: readonly string[] }[] = [];
  /** The letters of forms that were sent, one of its own for each. */
  readonly letters: string[] = [];
  /** What was shown where somebody pressed Approve. */
  readonly approvals = new Set<string>();
  /** Commands, presses and forms; and those to which Slack showed an error. */
  readonly tally = { requests: 0, failed: 0 };
  /** The replica that gets the next request; undefined: where the last one arrived. */
  nextAddress: () => string | undefined = () => undefined;
  /** Filters that a channel follows, as people know. */
  readonly #followed = new Map<string, Set<number>>();
  readonly #patienceMs: number;

  private constructor(
    { number = 1, requestsPerMinute = 30, patienceMs = 10 * SECOND }: WorkspaceOptions,
    time: FastTime,
    services: Pick<Workspace, 'slack' | 'marketplace'>,
  ) {
    this.slack = services.slack;
    this.marketplace = services.marketplace;
    this.time = time;
    this.marker = markerOf(number);
    this.filters = [1, 2, 3].map((it) => number * 1_000 + it);
    this.requestsPerMinute = requestsPerMinute;
    this.#patienceMs = patienceMs;
  }

  /** With two channels, three filters, one setup, an admin ada, and ben. */
  static async start(time: FastTime, options: WorkspaceOptions = {}): Promise<Workspace> {
    const { number = 1, seed = 1, requestsPerMinute = 30, reviewsJobs = false } = options;
    const { clock } = time;
    const marker = markerOf(number);
    const id = marker.toUpperCase();
    const random = seededRandom(seed * 1_000 + number);
    const [slack, marketplace] = await Promise.all([
      startSimulatedSlack({
        clock,
        peopleClock: machineClock,
        signingClock: clock,
        random,
        rateLimits: 'on',
        team: { id: `T${id}`, name: `Team ${marker}`, domain: marker },
        botToken: `xoxb-${marker}`,
      }),
      startSimulatedMarketplace({
        clock,
        random,
        token: `token-${marker}`,
        requestsPerMinute,
        creditsPerPeriod: ENOUGH_CREDITS,
      }),
    ]);
    slack.addUser({ id: `U${id}ADA`, name: 'ada', admin: true });
    slack.addUser({ id: `U${id}BEN`, name: 'ben' });
    for (const name of CHANNELS) slack.addChannel({ id: `C${id}${name.toUpperCase()}`, name });
    const workspace = new Workspace(options, time, { slack, marketplace });
    const filters = workspace.filters.map((it) => ({ id: it, name: `Filter ${it} ${marker}` }));
    for (const filter of filters) marketplace.addFilter(filter);
    marketplace.addSetup({
      name: `Setup ${marker}`,
      ...(filters[0] ? { filter: filters[0] } : {}),
      status: 'active',
      dailyProposalsLimit: 1_000,
      proposalsSentToday: 0,
      reviewsJobs,
    });
    return workspace;
  }

  /** Settings of a process of which this is the only workspace. */
  get environment(): Environment {
    const { slack, marketplace } = this;
    return {
      CLOCK_SPEED: String(this.time.speed),
      CLOCK_BEGAN: String(this.time.began),
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      MARKETPLACE_API_URL: marketplace.baseUrl,
      MARKETPLACE_API_TOKEN: marketplace.token,
      MARKETPLACE_REQUESTS_PER_MINUTE: String(this.requestsPerMinute),
      DEFAULT_CHANNEL_BUDGET: String(ENOUGH_CREDITS),
      PORT: '0',
    };
  }

  /** With its data in a folder. */
  environmentOn(folder: string): Environment {
    return { ...this.environment, SLACK_APP_TOKEN: this.slack.appToken, DATA_DIR: folder };
  }

  /** Where the next request of a person arrives. */
  chooseReplica(): void {
    const address = this.nextAddress();
    if (address !== undefined) this.slack.attachHttp(`${address}/slack/events`);
  }

  /** Their next request may arrive at another replica. */
  person(name: string): Person {
    this.chooseReplica();
    return createPerson({ slack: this.slack, settleAfter: (action) => this.#settle(name, action) }, name);
  }

  /** Makes them bidders in `web`. */
  async letBid(names: readonly string[]): Promise<void> {
    const isDone = () =>
      letBid(this, names).then(
        () => true,
        () => false,
      );
    await until(`bidders in ${this.marker}`, isDone);
  }

  /** Until the channel's list shows it. */
  async follow(filter: number, channel = 'web'): Promise<void> {
    // Its name, or its number until Gigdesk has read the name.
    const shown = new RegExp(`\\bfilter ${filter}\\b`, 'iu');
    const isShown = async () => {
      await this.person('ada').type(`/gig subscribe filter ${filter}`, channel);
      const { text } = await this.person('ada').type('/gig list', channel);
      return shown.test(text);
    };
    await until(`filter ${filter} in ${channel} of ${this.marker}`, isShown, { everyMs: PEOPLE_REPEAT_MS });
    await this.time.clock.sleep(AFTER_SUBSCRIBING_MS);
    this.#followed.set(channel, new Set([...this.followed(channel), filter]));
  }

  followed(channel = 'web'): readonly number[] {
    return [...(this.#followed.get(channel) ?? [])];
  }

  /** Into all that `web` follows when absent. */
  publish(filters: readonly number[] = this.followed()): void {
    const title = `Project ${this.published.length + 1} ${this.marker}`;
    const { ciphertext } = this.marketplace.publishProject(filters, { title, usOnly: false, ukOnly: false });
    const channels = CHANNELS.filter((it) => this.followed(it).some((filter) => filters.includes(filter)));
    this.published.push({ id: ciphertext, channels });
  }

  cards(channel = 'web'): readonly SlackMessage[] {
    return this.slack.messages(channel).filter(isCard);
  }

  /** Projects with a card. */
  carded(channel = 'web'): readonly string[] {
    return this.cards(channel).map((it) => postOf(it).split(':').slice(2).join(':'));
  }

  /** Projects that should have one. */
  due(channel = 'web'): readonly string[] {
    return this.published.filter(({ channels }) => channels.includes(channel)).map(({ id }) => id);
  }

  /** Until each project has its cards. @throws Error with what is missing */
  async untilPosted(): Promise<void> {
    for (const channel of CHANNELS) {
      const missing = () => this.due(channel).filter((it) => !this.carded(channel).includes(it));
      await until(
        `all cards in ${channel} of ${this.marker}`,
        async () => {
          await this.#openSummaries(channel);
          return missing().length === 0;
        },
        { state: () => `(missing: ${missing().join()})` },
      );
    }
  }

  /** Posts the cards of summaries, each of which lists many projects. */
  async #openSummaries(channel: string): Promise<void> {
    const others = this.slack.messages(channel).filter((it) => !isCard(it));
    for (const message of others.map((it) => messageAt(this.slack, it))) {
      const label = SHOWS_MORE.find((it) => message.offers(it));
      if (label === undefined) continue;
      const count = this.cards(channel).length;
      const hasMore = until(
        'more cards',
        () => this.cards(channel).length > count || !message.offers(label),
        {
          boundMs: this.#patienceMs,
        },
      );
      await Promise.race([this.person('ada').press(message, label), hasMore.catch(() => undefined)]);
    }
  }

  /** All that the app answers this person with: in private, and in channels. */
  #answersTo(name: string): string {
    const { slack } = this;
    const messages = CHANNELS.flatMap((it) => slack.messages(it).filter((message) => !postOf(message)));
    return JSON.stringify([slack.ephemerals(name).length, messages.length, slack.viewStack(name)]);
  }

  async #settle<T>(name: string, action: Promise<T>): Promise<T> {
    const before = this.#answersTo(name);
    const result = await action;
    if (typeof result !== 'object' || result === null || !('acked' in result)) return result;
    this.tally.requests += 1;
    if (result.acked !== true) this.tally.failed += 1;
    else
      await until('an answer', () => this.#answersTo(name) !== before, { boundMs: this.#patienceMs }).catch(
        () => undefined,
      );
    return result;
  }

  async close(): Promise<void> {
    await Promise.all([this.slack.close(), this.marketplace.close()]);
  }
}

function markerOf(number: number): string {
  return `wksp${String(number).padStart(3, '0')}`;
}
