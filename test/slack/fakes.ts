/** Small fakes of what handlers use, each with a state that tests can inspect. */
import type { HomeView, ModalView } from '@slack/types';
import { expect } from 'vitest';
import type { Role } from '../../src/access/access.ts';
import { createAccessService } from '../../src/access/create-access.ts';
import { createBiddingService } from '../../src/bidding/create-bidding.ts';
import type { LedgerPage } from '../../src/credits/create-credits.ts';
import { createDigestService } from '../../src/digests/digests.ts';
import { createNameDirectory } from '../../src/directory/directory.ts';
import type { NamedFilter, SubscribeOutcome } from '../../src/feed/feed.ts';
import {
  type ChannelSettings,
  cardKey,
  cards,
  defaultChannelSettings,
  type Subscription,
  seenProjectKey,
  seenProjects,
} from '../../src/feed/records.ts';
import { createFollowService } from '../../src/follows/follows.ts';
import { createFunnelService } from '../../src/funnel/funnel.ts';
import { createHintService } from '../../src/hints/hints.ts';
import {
  type Credits,
  MessageTs,
  ProfileId,
  type ProjectKey,
  toCredits,
  type UserId,
} from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { cardPostId, enqueuePost, type NewPost } from '../../src/outbox/outbox.ts';
import { PostId, postKey, posts } from '../../src/outbox/posts.ts';
import { createProfileFeedService } from '../../src/profiles/profiles.ts';
import type {
  FilterResultsOutcome,
  LookupOutcome,
  ProjectService,
  ResultProjectsOutcome,
} from '../../src/projects/projects.ts';
import { createResponseService } from '../../src/response/create-response.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import { HomeCache, UnfurlQueue } from '../../src/slack/core/home-cache.ts';
import type { ActionCall, CommandCall, Message, SentFile, Services } from '../../src/slack/core/routes.ts';
import { checkView } from '../../src/slack/kit/check-limits.ts';
import { createSpendingService } from '../../src/spending/create-spending.ts';
import type { Transaction } from '../../src/storage/store.ts';
import { createTemplateService } from '../../src/templates/templates.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { seededRandom } from '../seeded-random.ts';
import { storedPosts } from '../stored-posts.ts';
import { fakeCredits } from './fake-credits.ts';
import { fakeFeed } from './fake-feed.ts';
import { fakeProposals } from './fake-proposals.ts';
import { expectHarmless } from './harmless.ts';
import { asText } from './kit/as-text.ts';
import { never } from './never.ts';
import { findFixedIds, findUpdateRubricProblems } from './rubric.ts';
import { ANA, CHANNEL, listed, lookedUp, NOW, REACT, TEAM } from './samples.ts';

/** A person's message, and its place. */
interface Shown {
  readonly to: 'person' | 'channel' | 'thread' | 'replaced';
  readonly message: Message;
}

/** An opened modal. */
export interface ShownView {
  readonly how: 'open' | 'push' | 'update';
  readonly id: string;
  readonly view: ModalView;
  readonly hash?: string;
}

export function startDesk() {
  const clock = new ManualClock(NOW);
  /** Sleeping moves the clock, so that nothing waits for real. */
  const busyClock = {
    now: () => clock.now(),
    monotonicNow: () => clock.monotonicNow(),
    runAfter: clock.runAfter.bind(clock),
    sleep: async (ms: number) => clock.moveBy(ms),
  };
  const store = createMemoryStore();
  const shown: Shown[] = [];
  const unfurls: Record<string, unknown>[] = [];
  const files: { readonly user: UserId; readonly file: SentFile }[] = [];
  const views: ShownView[] = [];
  /** App Home views, by person. */
  const homes = new Map<UserId, HomeView>();
  const state = {
    settings: defaultChannelSettings(TEAM, CHANNEL) as ChannelSettings,
    subscriptions: [] as Subscription[],
    known: [REACT] as NamedFilter[],
    /** Profiles known to the marketplace. */
    profiles: [ProfileId.parse(301), ProfileId.parse(302)],
    profileFails: undefined as Error | undefined,
    /** Replaces the result of the next subscribe. */
    refuse: undefined as SubscribeOutcome | undefined,
    released: [] as PostId[],
    woken: 0,
    limit: toCredits(500) as Credits | 'unlimited',
    settled: 0,
    ownBudget: false,
    ledger: { entries: [], pending: [], hasOlder: false, hasNewer: false } as LedgerPage,
    reach: { kind: 'member' } as Awaited<ReturnType<Services['slack']['checkReachability']>>,
    lookups: [] as unknown[],
    lookup: { kind: 'found', project: lookedUp(), charged: 1 } as LookupOutcome,
    results: { kind: 'found', page: { items: [], unreadable: 0, paging: {} } } as FilterResultsOutcome,
    resultProjects: {
      kind: 'found',
      projects: [listed()],
      unreadable: 0,
      paging: { pages: 2 },
      charged: 1,
    } as ResultProjectsOutcome,
    postFails: undefined as Error | undefined,
    /** Roles of every person in places other than the call's. */
    roleEverywhere: 'viewer' as Role,
    unfurls,
    files,
    channels: [] as Awaited<ReturnType<Services['slack']['listUserChannels']>>,
    publicChannels: [] as Awaited<ReturnType<Services['slack']['listPublicChannels']>>,
    userGroups: [] as Awaited<ReturnType<Services['slack']['listUserGroups']>>,
    /** The error for opening and pushing views. */
    viewFails: undefined as Error | undefined,
    updateFails: undefined as Error | undefined,
  };

  const feed = fakeFeed({ state, store, clock });
  const book = fakeCredits(state);

  const projects: ProjectService = {
    async lookUp(_buyer, project) {
      state.lookups.push(project);
      return state.lookup;
    },
    listFilterResults: async () => state.results,
    buyResultProjects: async () => state.resultProjects,
  };

  let lastTs = 0;
  let lastView = 0;
  function show(how: 'open' | 'push', view: ModalView): string {
    checkView(view);
    if (state.viewFails) throw state.viewFails;
    const id = `V${++lastView}`;
    views.push({ how, id, view });
    return id;
  }
  /** An empty page of a known profile. */
  function pageOfProfile(profile: ProfileId) {
    if (state.profileFails) throw state.profileFails;
    if (!state.profiles.includes(profile)) throw new MarketplaceError('not-found', 'none', 'no such profile');
    return { items: [], unreadable: 0, paging: {} };
  }

  /** Without any setups, jobs or templates. */
  const { marketplace } = fakeMarketplace({
    fetchBiddingSetups: async () => [],
    fetchJobStatus: () => Promise.reject(new MarketplaceError('not-found', 'none', 'no such job')),
    fetchProposalTemplate: () =>
      Promise.reject(new MarketplaceError('not-found', 'none', 'no such template')),
    fetchProposalSenders: () => Promise.reject(new MarketplaceError('not-found', 'none', 'no such path')),
    fetchNamedEntities: () => Promise.reject(new MarketplaceError('not-found', 'none', 'no such path')),
    fetchProposals: async ({ profile }) => pageOfProfile(profile),
    fetchInvitations: async ({ profile }) => pageOfProfile(profile),
  });
  const ground = {
    team: TEAM,
    store,
    marketplace,
    clock: busyClock,
    random: seededRandom(1),
    log: silentLog,
  };
  const setups = createSetupService(ground);
  const { state: proposalsState, proposals } = fakeProposals();
  const directory = createNameDirectory({ ...ground, setups });
  const profiles = createProfileFeedService({ ...ground, directory });
  const digests = createDigestService({
    ...ground,
    timezone: 'UTC',
    credits: book,
    setups,
    feed,
    profiles,
    mirror: { isLoaded: true, listNewestFirst: () => [], estimateProgress: () => [] },
  });
  const services: Services = {
    team: TEAM,
    version: '0.1.0',
    startedAt: NOW,
    timezone: 'UTC',
    clock: busyClock,
    random: () => 0.5,
    log: silentLog,
    store,
    gate: { acquirePermit: never('enter'), status: () => ({ limitPerMinute: 30, used: 1, waiting: 0 }) },
    credits: book,
    feed,
    profiles,
    digests,
    funnel: createFunnelService({ team: TEAM, store, clock: busyClock, feed }),
    hints: createHintService({
      team: TEAM,
      store,
      feed,
      timezone: 'UTC',
      clock: busyClock,
      randomBytes: (length) => Buffer.alloc(length, 7),
      server: { port: 3000 },
    }),
    follows: createFollowService({
      ...ground,
      clock: busyClock,
      readMembership: async () => ({
        isMember: true,
        channels: new Set(state.channels.map(({ id }) => id)),
      }),
    }),
    response: createResponseService({
      team: TEAM,
      store,
      clock: busyClock,
      timezone: 'UTC',
      findUnavailable: async () => new Set(),
    }),
    spending: createSpendingService({ team: TEAM, store, clock: busyClock }),
    delivery: { readHealth: async () => ({ refused: [] }) },
    directory,
    projects,
    proposals,
    setups,
    bidding: createBiddingService({ ...ground, setups }),
    templates: createTemplateService(ground),
    access: createAccessService({ ...ground, admins: new Set() }),
    homes: new HomeCache(busyClock),
    unfurlQueue: new UnfurlQueue(),
    resolvePerson: async (user) => ({ user, role: state.roleEverywhere }),
    slack: {
      openView: async (_trigger, view) => show('open', view),
      pushView: async (_trigger, view) => show('push', view),
      async updateView(id, view, hash) {
        checkView(view);
        if (state.updateFails) throw state.updateFails;
        const before = views.findLast((each) => each.id === id)?.view.blocks;
        expect(findUpdateRubricProblems(before, view.blocks)).toEqual([]);
        views.push({ how: 'update', id, view, ...(hash === undefined ? {} : { hash }) });
      },
      async publishHome(user, view) {
        checkView(view);
        homes.set(user, view);
      },
      listUserChannels: async () => state.channels,
      listPublicChannels: async () => state.publicChannels,
      listUserGroups: async () => state.userGroups,
      async post(_channel, message, thread) {
        if (state.postFails) throw state.postFails;
        shown.push({ to: thread === undefined ? 'channel' : 'thread', message });
        return MessageTs.parse(`1795165999.00000${++lastTs}`);
      },
      async ephemeral(_channel, _user, message) {
        shown.push({ to: 'person', message });
      },
      async unfurl(_channel, _ts, given) {
        unfurls.push(given);
      },
      checkReachability: async () => state.reach,
      sendFile: async (user, file) => void files.push({ user, file }),
      fetchPermalink: async (channel, ts) => `https://gigdesk.slack.com/archives/${channel}/p${ts}`,
    },
  };

  const common = (user: UserId, role: Role) => ({
    person: { user, role },
    channel: CHANNEL,
    services,
    triggerId: 'trigger',
    async answer(message: Message, to: 'ephemeral' | 'channel' = 'ephemeral') {
      shown.push({ to: to === 'channel' ? 'channel' : 'person', message });
    },
  });

  return {
    state,
    proposals: proposalsState,
    shown,
    homes,
    /** Every change of the person's view; the last one is on the screen. */
    views,
    clock,
    services,
    /** Sends the waiting announcements, as delivery does. */
    async deliver() {
      for (const post of await storedPosts(store, TEAM, ({ content }) => content.kind === 'announcement')) {
        await store.transact((tx) => tx.delete(posts, postKey(TEAM, post.id)));
        if (post.content.kind === 'announcement')
          shown.push({ to: 'channel', message: { text: post.content.text } });
      }
    },
    /** New messages since the last call; checked to be harmless. */
    take: () =>
      shown.splice(0).map(({ to, message }) => {
        expectHarmless(message);
        expect(findFixedIds(message.blocks ?? [])).toEqual([]);
        return { to, text: asText(message), message };
      }),
    /** Everything shown, as one text for searching. */
    words: () => shown.map((each) => JSON.stringify(each.message)).join('\n'),
    /** The same as a person reads it, for snapshots. */
    read: () => shown.map((each) => asText(each.message)).join('\n'),
    command(args: string, user = ANA, role: Role = 'viewer'): CommandCall {
      return { ...common(user, role), args };
    },
    press(value: string, ts: MessageTs | undefined, user = ANA, role: Role = 'viewer'): ActionCall {
      return {
        ...common(user, role),
        value,
        ...(ts === undefined ? {} : { message: { ts } }),
        async replace(message) {
          shown.push({ to: 'replaced', message });
        },
      };
    },
    /** Puts a card into the channel as if delivered. @returns its message */
    async addCard(project: ListedProject = listed()): Promise<MessageTs> {
      const ts = MessageTs.parse(`1795165020.00010${++lastTs}`);
      await store.transact(async (tx) => {
        const filters = [REACT.id];
        const record = { team: TEAM, project, filters, firstSeenAt: NOW };
        await tx.put(seenProjects, seenProjectKey(TEAM, project.key), record);
        await tx.put(cards, cardKey(TEAM, CHANNEL, project.key), {
          team: TEAM,
          channel: CHANNEL,
          project: project.key,
          filters,
          foundAt: NOW,
          state: 'posted',
        });
        const id = cardPostId(CHANNEL, project.key);
        await addDelivered(tx, { id, content: { kind: 'card', project: project.key } }, ts);
      });
      return ts;
    },
    async addFlood(): Promise<MessageTs> {
      const ts = MessageTs.parse(`1795165020.00020${++lastTs}`);
      const id = PostId.parse('flood:1');
      await store.transact((tx) => addDelivered(tx, { id, content: { kind: 'flood' } }, ts));
      return ts;
    },
    card: (project: ProjectKey = listed().key) =>
      store.read((tx) => tx.get(cards, cardKey(TEAM, CHANNEL, project))),
  };
}

export type Desk = ReturnType<typeof startDesk>;

/** Puts a message into its channel as if delivered. */
export async function addDelivered(
  tx: Transaction,
  post: Pick<NewPost, 'id' | 'content' | 'under'>,
  ts: MessageTs,
): Promise<void> {
  await enqueuePost(tx, { team: TEAM, channel: CHANNEL, order: NOW, at: NOW, ...post });
  const key = postKey(TEAM, post.id);
  const stored = await tx.get(posts, key);
  if (stored) await tx.put(posts, key, { ...stored, state: 'posted', ts });
}
