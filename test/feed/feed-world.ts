/**
 * A feed on an in-memory store with a fake marketplace and a manual clock; it can be killed and restarted.
 */
import { onTestFinished } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import type { CreditsService } from '../../src/credits/create-credits.ts';
import { createCreditsService } from '../../src/credits/create-credits.ts';
import { createNameDirectory } from '../../src/directory/directory.ts';
import { createFeedService, type FeedService } from '../../src/feed/create-feed.ts';
import type { SubscribeOutcome } from '../../src/feed/feed.ts';
import { type Card, cards } from '../../src/feed/records.ts';
import { toCredits } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { RequestGate } from '../../src/marketplace/gate/gate.ts';
import type { ChannelNotice, Post } from '../../src/outbox/posts.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import { type Store, scanCollection } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime, settle } from '../pass-time.ts';
import { storedPosts } from '../stored-posts.ts';
import { FakeMarketplace, type ServerWays } from './fake-marketplace.ts';

import { ann, bob, channel, filterId, team } from './stored-records.ts';

export { ann, bob, channel, filterId, team };
/** `p001`, `p002` and so on, both ends included. */
export const keysFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => `p${String(from + place).padStart(3, '0')}`);

/** Starts at most one request every `retryDelayMs`. */
function createTestGate(clock: ManualClock, pauseMs: number): RequestGate {
  let nextAt = 0;
  return {
    async acquirePermit(_lane, options) {
      // A longer pause: the clock was set back.
      const at = nextAt > clock.now() + MINUTE ? clock.now() : Math.max(nextAt, clock.now());
      nextAt = at + pauseMs;
      if (at > clock.now()) await clock.sleep(at - clock.now(), options?.signal);
      const cancel = () => {
        nextAt -= pauseMs;
      };
      return { finish() {}, cancel };
    },
    status: () => ({ limitPerMinute: 30, used: 0, waiting: 0 }),
  };
}

export interface WorldOptions {
  /** From a stopped world. */
  readonly clock?: ManualClock;
  readonly disk?: ReturnType<typeof createMemoryStore>;
  readonly market?: FakeMarketplace;
  readonly ways?: Partial<ServerWays>;
  readonly budget?: number;
  readonly pauseMs?: number;
  /** Intercepts the store for the feed. */
  readonly wrap?: (store: Store) => Store;
}

export class FeedWorld {
  readonly clock: ManualClock;
  readonly disk: ReturnType<typeof createMemoryStore>;
  readonly market: FakeMarketplace;
  feed: FeedService;
  credits: CreditsService;
  readonly #options: WorldOptions;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #seed = 1;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    this.clock = options.clock ?? new ManualClock();
    this.disk = options.disk ?? createMemoryStore();
    this.market = options.market ?? new FakeMarketplace(() => this.clock.now(), options.ways);
    this.credits = createCreditsService({
      team,
      defaultBudget: toCredits(options.budget ?? 500),
      log: silentLog,
    });
    this.feed = this.#create();
  }

  #create(): FeedService {
    const store = this.#options.wrap?.(this.disk) ?? this.disk;
    const parts = { team, store, marketplace: this.market.client(), clock: this.clock, log: silentLog };
    const setups = createSetupService(parts);
    return createFeedService({
      ...parts,
      credits: this.credits,
      setups,
      directory: createNameDirectory({ ...parts, setups }),
      gate: createTestGate(this.clock, this.#options.pauseMs ?? 2_000),
      random: () => this.#random(),
      timezone: 'UTC',
    });
  }

  #random(): number {
    this.#seed = (this.#seed * 16_807) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }

  async start(): Promise<void> {
    await this.disk.transact((tx) => this.credits.recoverReservations(tx, this.clock.now()));
    this.#stop = new AbortController();
    this.#running = this.feed.run(this.#stop.signal);
    await settle();
  }

  /** Kills the process, and another takes over. The old one's pending work is lost. */
  async restart(): Promise<void> {
    this.feed = this.#create();
    await this.start();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await settle();
    await this.#running;
  }

  /** Passes time, timer by timer. */
  pass(seconds: number): Promise<void> {
    return passTime(this.clock, seconds * 1_000);
  }

  subscribe(
    where: string,
    filter: number,
    more: { rules?: string; backfill?: number } = {},
  ): Promise<SubscribeOutcome> {
    this.market.addFilter(filter);
    return this.feed.subscribe({
      channel: channel(where),
      filter: filterId(filter),
      rules: more.rules ?? '',
      backfill: more.backfill ?? 0,
      by: ann,
      isAdmin: true,
    });
  }

  setBudget(where: string, limit: number): Promise<unknown> {
    return this.disk.transact((tx) =>
      this.credits.setBudget(tx, channel(where), toCredits(limit), ann, this.clock.now()),
    );
  }

  async cards(where: string, state: Card['state'] = 'posted'): Promise<string[]> {
    const found: string[] = [];
    await this.disk.read(async (tx) => {
      for await (const { value } of scanCollection(tx, cards, { prefix: [team, channel(where)] })) {
        if (value.state === state) found.push(value.project);
      }
    });
    return found.sort();
  }

  posts(where: string): Promise<Post[]> {
    return storedPosts(this.disk, team, ({ channel: of }) => of === where);
  }

  /** Projects with stored posts, in sending order. */
  async posted(where: string): Promise<string[]> {
    return (await this.posts(where)).flatMap((post) =>
      post.content.kind === 'card' ? [post.content.project] : [],
    );
  }

  async notices(where: string): Promise<ChannelNotice[]> {
    return (await this.posts(where)).flatMap((post) =>
      post.content.kind === 'notice' ? [post.content.notice] : [],
    );
  }

  async spent(where: string): Promise<number> {
    const { settled } = await this.disk.read((tx) =>
      this.credits.readBudgetState(tx, channel(where), this.clock.now()),
    );
    return settled;
  }
}

/** A running feed, which stops when the test that opened it ends. */
export async function openFeed(options: WorldOptions = {}): Promise<FeedWorld> {
  const world = new FeedWorld(options);
  onTestFinished(() => world.stop());
  await world.start();
  return world;
}
