/**
 * An agency at work: the running app with one filter in the channel `web`, a bidding setup, and people. Plain
 * functions, for tests (`app-test.ts`), the soak and the benchmark.
 */
import { MINUTE, SECOND } from '../../src/clock.ts';
import type {
  FaultMatcher,
  MarketplaceFaultEffect,
  MarketplaceFaultHandle,
} from '../../src/workbench/marketplace/faults.ts';
import type { SimulatedJob } from '../../src/workbench/marketplace/records.ts';
import type {
  LoggedRequest,
  ProjectSeed,
  ProjectWithFilterIds,
  SimulatedMarketplace,
} from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { NewUser, SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { type AppOptions, type RunningApp, runApp } from '../features/run-app.ts';
import { createPerson, type Input, type Message, messageAt, type Person } from './person.ts';
import { findPressable } from './read-screen.ts';

export const FILTER = { id: 101, name: 'React work' };
export const FAST_SETUP = { id: 7, name: 'Fast setup' };

/** A project that passes every rule, and whose client asks one question. */
export const SHOP: ProjectSeed = {
  title: 'Rebuild our checkout',
  clientQuestions: ['Which shops have you built?'],
  usOnly: false,
  ukOnly: false,
  budget: { type: 'fixed', fixedAmount: 700 },
};

/** The marketplace's paths that tests break or count most often; `*` stands for an ID. */
export const PATHS = {
  bid: '/auto-bidding/jobs/create',
  approve: '/auto-bidding/jobs/*/approve',
  bidStatus: '/auto-bidding/jobs/*/status',
  projects: '/filters/*/projects',
  lookup: '/projects/lookup',
  proposals: '/proposals',
  invitations: '/invitations',
} as const;

export interface DeskOptions extends AppOptions {
  /** Bids wait for a review on the marketplace. */
  readonly reviews?: boolean;
  /** Leaves out the filter, the setup, the subscription and ben's role. */
  readonly empty?: boolean;
}

export interface Published {
  readonly project: ProjectWithFilterIds;
  /** Waits for its card. @throws Error when none comes within 5 minutes */
  cardIn(channel: string): Promise<Message>;
}

export interface Market {
  readonly service: SimulatedMarketplace;
  publish(project?: ProjectSeed, filters?: number | readonly number[]): Published;
  /** Bids that the marketplace got, in order. */
  readonly jobs: readonly SimulatedJob[];
  /** Breaks the next `times` requests (1 when absent). */
  fail(at: string | FaultMatcher, effect: MarketplaceFaultEffect, times?: number): MarketplaceFaultHandle;
  /** The requests to a path so far; `*` stands for an ID. */
  requests(path: string): readonly LoggedRequest[];
}

export interface Desk {
  readonly app: RunningApp;
  readonly slack: SimulatedSlack;
  readonly market: Market;
  /** Waits for an action and what it leads to: some seconds pass. Actions may overlap. */
  settleAfter<T>(action: Promise<T>): Promise<T>;
  /** Passes time. Over hours, what is due within seconds happens together. */
  readonly pass: (ms: number) => Promise<void>;
  /** The person with this name; joins the workspace and all channels when new. */
  readonly person: (name: string, options?: Omit<NewUser, 'name'>) => Person;
  readonly stop: () => Promise<void>;
}

/** How long an action's consequences take at most: Slack takes one message a second in a channel. */
const SETTLED_MS = 5 * SECOND;

export async function startDesk({ reviews = false, empty = false, ...options }: DeskOptions): Promise<Desk> {
  const app = await runApp(options);
  const { slack, marketplace } = app;
  let passing: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = passing.then(work);
    passing = done.catch(() => undefined);
    return done;
  };
  const desk: Desk = {
    app,
    slack,
    market: createMarket(app, inTurn),
    settleAfter: async (action) => {
      const [result] = await Promise.all([action, inTurn(() => app.pass(SETTLED_MS))]);
      return result;
    },
    pass: (ms) => inTurn(() => app.pass(ms, ms < 10 * MINUTE ? 0 : Math.min(ms / 500, MINUTE))),
    person: (name, more = {}) => {
      if (!slack.users().some((it) => it.name === name)) {
        slack.addUser({ name, ...more });
        for (const { id, kind } of slack.channels()) if (kind === 'public') slack.invite(id, name);
      }
      return createPerson(desk, name);
    },
    stop: app.stop,
  };
  if (empty) return desk;
  marketplace.addFilter(FILTER);
  marketplace.addSetup({
    ...FAST_SETUP,
    filter: FILTER,
    status: 'active',
    biddingDelayMinutes: 5,
    dailyProposalsLimit: 20,
    proposalsSentToday: 0,
    reviewsJobs: reviews,
  });
  await desk.person('ada').type(`/gig subscribe filter ${FILTER.id}`);
  await letBid(desk, ['ben']);
  await desk.pass(20 * SECOND);
  return desk;
}

/** Gives people the bidder role in a channel, as an admin does. */
export async function letBid(desk: Desk, names: readonly string[], channel = 'web'): Promise<void> {
  const form = await desk.person('ada').type('/gig access', channel);
  await form.send({ Bidders: names });
  await desk.person('ada').close();
}

/** Sets a channel's spending rules, by the labels of their form, as an admin does. */
export async function setRules(desk: Desk, rules: Input, channel = 'web'): Promise<void> {
  const ada = desk.person('ada');
  const form = await (await ada.type('/gig settings', channel)).press('Spending Rules');
  await form.send(rules);
  await ada.close();
}

function createMarket(app: RunningApp, inTurn: (work: () => Promise<void>) => Promise<void>): Market {
  const { marketplace, slack } = app;
  const isCardOf = ({ ciphertext, title }: ProjectWithFilterIds, message: Message['shown']): boolean => {
    if (!message || !('message' in message) || !findPressable(message, 'Details')) return false;
    const words = JSON.stringify(message.message.blocks);
    return words.includes(ciphertext) || words.includes(title);
  };
  return {
    service: marketplace,
    get jobs() {
      return marketplace.jobs();
    },
    publish: (seed = SHOP, filters = FILTER.id) => {
      const project = marketplace.publishProject(filters, seed);
      const cardIn = async (channel: string) => {
        const find = () => slack.messages(channel).find((message) => isCardOf(project, { message }));
        await inTurn(() => app.until(`the card of “${project.title}” in ${channel}`, () => !!find()));
        return messageAt({ slack } as Desk, find() as NonNullable<ReturnType<typeof find>>);
      };
      return { project, cardIn };
    },
    fail: (at, effect, times) =>
      marketplace.injectFault(typeof at === 'string' ? { path: at } : at, effect, times),
    requests: (path) => {
      const pattern = new RegExp(`^${path.replaceAll('*', '[^/]+')}$`, 'u');
      return marketplace.requests().filter((it) => pattern.test(it.path));
    },
  };
}
