/**
 * The product's feed and request gate beside a model of the marketplace, with their own store and a manual
 * clock.
 */

import { allCollections } from '../../src/app/collections.ts';
import type { Clock } from '../../src/clock.ts';
import { createCreditsService } from '../../src/credits/create-credits.ts';
import { createNameDirectory } from '../../src/directory/directory.ts';
import { createFeedService, type FeedService } from '../../src/feed/create-feed.ts';
import { ChannelId, FilterId, TeamId, toCredits, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { createRequestGate } from '../../src/marketplace/gate/request-gate.ts';
import { createUnconnectedClient } from '../../src/marketplace/http-client.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import type { Store } from '../../src/storage/store.ts';
import {
  createInFlightWorkCounter,
  type InFlightWorkCounter,
  waitUntilAppIdle,
} from '../../src/workbench/activity.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createTrackedDisk } from '../../src/workbench/sandbox-ports.ts';
import { MemoryDisk } from '../../test/kit/memory-disk.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import type { Arrivals } from './arrivals.ts';
import { ModelServer } from './model-server.ts';

const channel = ChannelId.parse('C1');
const user = UserId.parse('U1');
/** Rejects every project: posted cards say nothing about the plan. */
const NO_CARDS = '"there is no such project"';

/** Latency of a request. */
export const ANSWER_MS = 300;

export interface TimedHint {
  readonly at: number;
  readonly filter: number;
}

export interface RunningFeed {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly server: ModelServer;
  /** Calls the feed's hook at these times, in ms from now; sorted. */
  hint(hints: readonly TimedHint[]): void;
  /** Moves the clock by `ms`, timer by timer, with the feed keeping up. */
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Subscribes to every filter, with unknown rates. */
export async function startFeed(
  arrivals: Arrivals,
  { requestsPerMinute, seed }: { readonly requestsPerMinute: number; readonly seed: number },
): Promise<RunningFeed> {
  const clock = new ManualClock();
  const activity = createInFlightWorkCounter();
  const store = await openJournalStore({
    folder: '/feed',
    team: TeamId.parse('T1'),
    collections: allCollections,
    log: silentLog,
    clock,
    disk: createTrackedDisk(activity, 'durable', new MemoryDisk()),
    snapshotAfterBytes: Number.POSITIVE_INFINITY,
  });
  const server = new ModelServer(arrivals, () => clock.now());
  const random = seededRandom(seed);
  const gate = await createRequestGate({
    limit: requestsPerMinute,
    clock,
    random,
    journal: { load: async () => undefined, save: async () => {} },
    log: silentLog,
  });
  const feed = putTogether({ clock, store, marketplace: answering(server, clock), gate, random });
  await follow(store, feed, arrivals.at.length, clock);
  const ending = new AbortController();
  const running = feed.run(ending.signal);
  return {
    clock,
    store,
    server,
    hint: (hints) => sendHints(feed, clock, hints),
    pass: (ms) => pass(clock, activity, ms),
    stop: async () => {
      ending.abort();
      await pass(clock, activity, ANSWER_MS);
      await running;
      await store.close();
    },
  };
}

/** One timer at a time. */
function sendHints(feed: FeedService, clock: Clock, hints: readonly TimedHint[]): void {
  const began = clock.now();
  let next = 0;
  const send = () => {
    for (;;) {
      const hint = hints[next];
      if (!hint) return;
      const inMs = began + hint.at - clock.now();
      if (inMs > 0) {
        clock.runAfter(inMs, send);
        return;
      }
      feed.hintFilters([FilterId.parse(hint.filter)]);
      next++;
    }
  };
  send();
}

async function pass(clock: ManualClock, activity: InFlightWorkCounter, ms: number): Promise<void> {
  const until = clock.now() + ms;
  await waitUntilAppIdle(activity, () => 0);
  while (clock.now() < until) {
    clock.moveTo(Math.min(clock.nextTimerDueAt() ?? until, until));
    await waitUntilAppIdle(activity, () => 0);
  }
}

type Parts = Pick<
  Parameters<typeof createFeedService>[0],
  'clock' | 'store' | 'marketplace' | 'gate' | 'random'
>;

function putTogether(parts: Parts): FeedService {
  const base = { ...parts, log: silentLog };
  const setups = createSetupService(base);
  return createFeedService({
    ...base,
    credits: createCreditsService({ defaultBudget: toCredits(500), log: silentLog }),
    setups,
    directory: createNameDirectory({ ...base, setups }),
    timezone: 'UTC',
  });
}

async function follow(store: Store, feed: FeedService, filters: number, clock: Clock): Promise<void> {
  const book = createCreditsService({ defaultBudget: toCredits(500), log: silentLog });
  await store.transact((tx) => book.setBudget(tx, channel, 'unlimited', user, clock.now()));
  for (let filter = 1; filter <= filters; filter++) {
    const request = { channel, rules: NO_CARDS, backfill: 0, by: user };
    const outcome = await feed.subscribe({ ...request, filter: FilterId.parse(filter) });
    if (outcome.kind !== 'subscribed') throw new Error(`filter ${filter}: ${outcome.kind}`);
  }
}

function answering(server: ModelServer, clock: Clock): MarketplaceClient {
  return {
    ...createUnconnectedClient(),
    fetchFilterProjects: async (filter, query, { permit }) => {
      const page = server.page(filter, query);
      await clock.sleep(ANSWER_MS);
      permit?.finish({ kind: 'done' });
      return page;
    },
    fetchFilterResults: async () => ({ items: [], unreadable: 0, paging: {} }),
    fetchBiddingSetups: async () => [],
  };
}
