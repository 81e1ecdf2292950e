/** Digests on an in-memory store with a manual clock; the process can be killed and restarted. */
import { MINUTE } from '../../src/clock.ts';
import { createCreditsService } from '../../src/credits/create-credits.ts';
import { createDigestService, type DigestService } from '../../src/digests/digests.ts';
import { type DigestRecord, digestRecords } from '../../src/digests/records.ts';
import { createNameDirectory } from '../../src/directory/directory.ts';
import { createFeedService } from '../../src/feed/create-feed.ts';
import {
  type Card,
  cardKey,
  cards,
  seenProjectKey,
  seenProjects,
  subscriptionKey,
  subscriptions,
} from '../../src/feed/records.ts';
import { type ChannelId, FilterId, MessageTs, ProfileId, ProjectKey, toCredits } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import type { BiddingSetup, ListedProject, Proposal } from '../../src/marketplace/schema.ts';
import { cardPostId, enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, type PostContent, PostId, postKey, posts } from '../../src/outbox/posts.ts';
import { createProfileFeedService } from '../../src/profiles/profiles.ts';
import { profileFeedKey, profileFeeds } from '../../src/profiles/records.ts';
import type { MirrorProgress } from '../../src/proposals/mirror.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import { type Store, scanCollection, type Transaction } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime } from '../pass-time.ts';
import { seededRandom } from '../seeded-random.ts';
import { ANA, CHANNEL, listed, TEAM } from '../slack/samples.ts';
import { storedPosts } from '../stored-posts.ts';

const TENTH = 10 * MINUTE;
const FILTER = FilterId.parse(101);
export const PROFILE = ProfileId.parse(301);
/** Fri 20 Nov 2026, 09:00 in Berlin. */
export const FRIDAY = Date.parse('2026-11-20T08:00:00Z');

export class DigestWorld {
  readonly clock: ManualClock;
  readonly disk = createMemoryStore();
  readonly lines: string[] = [];
  /** Newest first. */
  proposals: Proposal[] = [];
  setups: BiddingSetup[] = [];
  /** The marketplace's answers for them. */
  askSetups: () => Promise<readonly BiddingSetup[]> = async () => this.setups;
  isLoaded = true;
  /** Last read of the followed profile; absent: since each process's start. */
  read: Pick<MirrorProgress, 'readAt' | 'trouble'> | undefined;
  wrap: (store: Store) => Store = (store) => store;
  digests: DigestService;

  constructor(start = FRIDAY) {
    this.clock = new ManualClock(start);
    this.digests = this.create();
  }

  create(): DigestService {
    const clock = this.clock;
    const log = createLog('info', { write: (line) => this.lines.push(line) });
    const { marketplace } = fakeMarketplace({ fetchBiddingSetups: () => this.askSetups() });
    const store = this.wrap(this.disk);
    const book = createCreditsService({ team: TEAM, defaultBudget: toCredits(500), log });
    const ground = { team: TEAM, store, marketplace, clock, log, random: seededRandom(1), timezone: 'UTC' };
    const setups = createSetupService(ground);
    const directory = createNameDirectory({ ...ground, setups });
    const gate = {
      acquirePermit: () => Promise.reject(new Error('nothing is polled')),
      status: () => ({ limitPerMinute: 30, used: 0, waiting: 0 }),
    };
    const isLoaded = () => this.isLoaded;
    const startedAt = clock.now();
    return createDigestService({
      ...ground,
      credits: book,
      setups,
      feed: createFeedService({ ...ground, credits: book, setups, directory, gate }),
      profiles: createProfileFeedService({ ...ground, directory }),
      mirror: {
        get isLoaded() {
          return isLoaded();
        },
        listNewestFirst: () => this.proposals,
        estimateProgress: () => [
          { profile: PROFILE, state: 'complete', held: 1, ...(this.read ?? { readAt: startedAt }) },
        ],
      },
    });
  }

  /** Kills the process, and another takes over. */
  restart(): void {
    this.digests = this.create();
  }

  /** The schedule's work for every minute. */
  async ring(): Promise<void> {
    await this.digests.job.runIfDue(this.clock.now(), new AbortController().signal);
  }

  /** Passes time until then; the schedule runs every ten minutes, and at the end. */
  async ringUntil(at: number): Promise<void> {
    while (this.clock.now() < at) {
      await passTime(this.clock, Math.min(TENTH - (this.clock.now() % TENTH), at - this.clock.now()));
      await this.ring();
    }
  }

  pass(ms: number): Promise<void> {
    return passTime(this.clock, ms);
  }

  put(work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.disk.transact(work);
  }

  plan(
    change: {
      readonly channel?: ChannelId;
      readonly minute?: number;
      readonly days?: 'daily' | 'weekdays';
      readonly timezone?: string;
    } = {},
  ) {
    const order = {
      channel: CHANNEL,
      minute: 540,
      days: 'daily',
      timezone: 'Europe/Berlin',
      by: ANA,
    } as const;
    return this.digests.planDigest({ ...order, ...change });
  }

  enqueue(id: string, content: PostContent, at = this.clock.now()): Promise<void> {
    return this.put(async (tx) => {
      const post = { team: TEAM, id: PostId.parse(id), channel: CHANNEL, content, order: at, at };
      await enqueuePost(tx, post);
    });
  }

  /** Posts a project to the channel now. */
  async tell(
    name: string,
    change: Partial<ListedProject> = {},
    card: Partial<Card> = {},
  ): Promise<ProjectKey> {
    const at = this.clock.now();
    const project = listed({ key: ProjectKey.parse(`~${name}`), title: name, publishedAt: at, ...change });
    await this.put(async (tx) => {
      const filters = [FILTER];
      const found = { team: TEAM, channel: CHANNEL, project: project.key, filters, foundAt: at };
      const told: Card = { ...found, state: 'posted', ...card };
      await tx.put(seenProjects, seenProjectKey(TEAM, project.key), {
        team: TEAM,
        project,
        filters,
        firstSeenAt: at,
      });
      await tx.put(cards, cardKey(TEAM, CHANNEL, project.key), told);
      const id = cardPostId(CHANNEL, project.key);
      const content = { kind: 'card', project: project.key } as const;
      await enqueuePost(tx, { team: TEAM, id, channel: CHANNEL, content, order: at, at });
    });
    return project.key;
  }

  /** Subscribes the channel to the filter that matches everything. */
  follow(): Promise<void> {
    const kept = {
      team: TEAM,
      channel: CHANNEL,
      filter: FILTER,
      rules: '',
      by: ANA,
      createdAt: 0,
      startsAt: 0,
    };
    return this.put((tx) => tx.put(subscriptions, subscriptionKey(TEAM, CHANNEL, FILTER), kept));
  }

  followProfile(stopped?: { readonly at: number; readonly error: string }): Promise<void> {
    const feed = {
      team: TEAM,
      channel: CHANNEL,
      kind: 'outcomes',
      profile: PROFILE,
      by: ANA,
      createdAt: 0,
      startsAt: 0,
      ...(stopped ? { stopped } : {}),
    } as const;
    return this.put((tx) => tx.put(profileFeeds, profileFeedKey(feed), feed));
  }

  posted(kind: PostContent['kind']): Promise<Post[]> {
    return storedPosts(this.disk, TEAM, ({ content }) => content.kind === kind);
  }

  async records(): Promise<DigestRecord[]> {
    const found: DigestRecord[] = [];
    await this.disk.read(async (tx) => {
      const range = { index: 'byAge', prefix: [TEAM] as const };
      for await (const { value } of scanCollection(tx, digestRecords, range)) found.push(value);
    });
    return found;
  }

  async newest(): Promise<DigestRecord> {
    const record = (await this.records()).at(-1);
    if (!record) throw new Error('no digest was made');
    return record;
  }

  /** Waits until delivery has sent everything. */
  deliver(): Promise<void> {
    return this.put(async (tx) => {
      const found: Post[] = [];
      for await (const { value } of scanCollection(tx, posts, { prefix: [TEAM] })) found.push(value);
      for (const [place, post] of found.entries()) {
        if (post.state !== 'waiting') continue;
        const ts = MessageTs.parse(`1795165999.${place}`);
        await tx.put(posts, postKey(TEAM, post.id), { ...post, state: 'posted', ts });
      }
    });
  }
}
