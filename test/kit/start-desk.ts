/** An agency at work: the running app with one filter in the channel `web`, a bidding setup, and people. */
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { FaultMatcher, MarketplaceFaultEffect } from '../../src/workbench/marketplace/faults.ts';
import type { ProjectSeed } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { NewUser, SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { type Answer, createPerson, type Input, type Person } from './person.ts';
import { findPressable, type Message, messageAt, type Screen } from './read-screen.ts';
import { type AppOptions, type RunningApp, runApp } from './run-app.ts';

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

/** In the form of response times: every day and hour counts. */
export const ALL_HOURS = {
  'Working days': ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  'Working hours from': null,
  'Working hours until': null,
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

/** How long an action's consequences take at most: Slack takes one message a second in a channel. */
const SETTLED_MS = 5 * SECOND;

export interface DeskOptions extends AppOptions {
  /** Bids wait for a review on the marketplace. */
  readonly reviews?: boolean;
  /** Names of more setups, beside `FAST_SETUP`. Their IDs follow its ID. */
  readonly moreSetups?: readonly string[];
  /** Leaves out the filter, the setup, the subscription and ben's role. */
  readonly empty?: boolean;
}

export type Desk = Awaited<ReturnType<typeof startDesk>>;

export async function startDesk({
  reviews = false,
  moreSetups = [],
  empty = false,
  ...options
}: DeskOptions) {
  const app = await runApp(options);
  const { slack, marketplace } = app;
  let passing: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = passing.then(work);
    passing = done.catch(() => undefined);
    return done;
  };
  /** Waits for an action and what it leads to: some seconds pass. Actions may overlap. */
  const settleAfter = async <T>(action: Promise<T>): Promise<T> => {
    const [result] = await Promise.all([action, inTurn(() => app.pass(SETTLED_MS))]);
    return result;
  };
  const desk = {
    app,
    slack,
    market: createMarket(app, inTurn),
    settleAfter,
    /** Passes this many ms. Over hours, what is due within seconds happens together. */
    pass: (ms: number) => inTurn(() => app.pass(ms, ms < 10 * MINUTE ? 0 : Math.min(ms / 500, MINUTE))),
    /** The person with this name; joins the workspace and all public channels when new. */
    person: (name: string, more: Omit<NewUser, 'name'> = {}): Person => {
      if (!slack.users().some((it) => it.name === name)) {
        slack.addUser({ name, ...more });
        for (const { id, kind } of slack.channels()) if (kind === 'public') slack.invite(id, name);
      }
      return createPerson({ slack, settleAfter }, name);
    },
    /** Kills the app as a power failure does, and starts it after `downMs`. */
    restart: async (downMs = 0): Promise<void> => {
      await app.kill();
      app.clock.moveBy(downMs);
      await app.start();
      await inTurn(() => app.pass(SETTLED_MS));
    },
    stop: app.stop,
  };
  if (empty) return desk;
  marketplace.addFilter(FILTER);
  for (const [place, name] of [FAST_SETUP.name, ...moreSetups].entries())
    marketplace.addSetup({
      id: FAST_SETUP.id + place,
      name,
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
export async function letBid(desk: Pick<Desk, 'person'>, names: readonly string[], channel = 'web') {
  const form = await desk.person('ada').type('/gig access', channel);
  await form.send({ Bidders: names });
  await desk.person('ada').close();
}

/** Sends a bid from a card, with the first setup unless `input` names another, and closes the form. */
export async function sendBid(by: Person, card: Screen, input: Input = {}): Promise<Answer> {
  const form = await by.press(card, 'Bid');
  const answer = await form.send({ 'Bidding setup': FAST_SETUP.name, ...input });
  await by.close();
  return answer;
}

/** Sets a channel's spending rules, by the labels of their form. */
export async function setRules(admin: Person, rules: Input, channel = 'web') {
  const settings = await admin.type('/gig settings', channel);
  const form = await settings.press('Spending Rules');
  await form.send(rules);
  await admin.close();
}

/** Cards of a channel have their details as a reply from now on. */
export async function moveDetailsToThreads(admin: Person, channel = 'web') {
  const settings = await admin.type('/gig settings', channel);
  const form = await settings.press('Cards and Approvals');
  await form.send({ Threads: ['Move description, skills and match reasons to the thread'] });
  await admin.close();
}

function createMarket(app: RunningApp, inTurn: (work: () => Promise<void>) => Promise<void>) {
  const { marketplace, slack } = app;
  return {
    service: marketplace,
    /** Bids that the marketplace got, in order. */
    get jobs() {
      return marketplace.jobs();
    },
    publish: (seed: ProjectSeed = SHOP, filters: number | readonly number[] = FILTER.id) => {
      const project = marketplace.publishProject(filters, seed);
      const { ciphertext, title } = project;
      /** Waits for its card. @throws Error when none comes within 5 minutes */
      const cardIn = async (channel: string): Promise<Message> => {
        const isCard = (message: SlackMessage) =>
          findPressable({ message }, 'Details') &&
          [ciphertext, title].some((it) => JSON.stringify(message.blocks).includes(it));
        const card = () => slack.messages(channel).find(isCard);
        await inTurn(() => app.until(`the card of “${title}” in ${channel}`, () => !!card()));
        return messageAt(slack, card() as SlackMessage);
      };
      return { project, cardIn };
    },
    /** Breaks the next `times` requests (1 when absent). */
    fail: (at: string | FaultMatcher, effect: MarketplaceFaultEffect, times?: number) =>
      marketplace.injectFault(typeof at === 'string' ? { path: at } : at, effect, times),
    /** The requests to a path so far; `*` stands for an ID. */
    requests: (path: string) => {
      const pattern = new RegExp(`^${path.replaceAll('*', '[^/]+')}$`, 'u');
      return marketplace.requests().filter((it) => pattern.test(it.path));
    },
  };
}
