/**
 * Bidding on an in-memory store beside a marketplace model; the process can be killed and restarted at any
 * moment.
 */
import { type AuditEntry, auditEntries } from '../../src/audit/audit.ts';
import { hashApprovalFacts, listApprovalFacts } from '../../src/bidding/approval-request.ts';
import type { BidSubmissionResult, JobApprovalResult } from '../../src/bidding/bidding.ts';
import { type BiddingService, createBiddingService } from '../../src/bidding/create-bidding.ts';
import { readApprovalSubject } from '../../src/bidding/read-approval-subject.ts';
import {
  type Bid,
  type BidRequest,
  bidId,
  bidKey,
  bids,
  type Job,
  jobKey,
  jobs,
} from '../../src/bidding/records.ts';
import { saveCardAndPost } from '../../src/feed/cards.ts';
import { defaultChannelSettings } from '../../src/feed/records.ts';
import { ChannelId, type JobId, ProjectKey, SetupId, TeamId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { BidNews } from '../../src/outbox/news.ts';
import { type Post, posts } from '../../src/outbox/posts.ts';
import type { SetupService } from '../../src/setups/setups.ts';
import { type Collection, type Store, scanCollection } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime, settle } from '../pass-time.ts';
import { seededRandom } from '../seeded-random.ts';
import { ModelMarket } from './model-market.ts';

export const team = TeamId.parse('T1');
export const ann = UserId.parse('UANN');
export const bob = UserId.parse('UBOB');
export const sales = ChannelId.parse('CSALES');
export const leads = ChannelId.parse('CLEADS');
export const project = ProjectKey.parse('~0123');
export const setupId = (id: number) => SetupId.parse(id);

function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

interface Life {
  isDead: boolean;
  /** Kills the process once its next commit is on disk, before it learns of that. */
  diesAtCommit: boolean;
}

/** A process's access to the disk: none of its continuations runs after its death. */
function ownStore(disk: Store, life: Life): Store {
  const whileAlive = <T>(result: Promise<T>): Promise<T> =>
    result.then(
      (value) => (life.isDead ? never<T>() : value),
      (thrown) => (life.isDead ? never<T>() : Promise.reject(thrown)),
    );
  return {
    onCommit: (collections, call) => disk.onCommit(collections, call),
    transact: (work) => {
      const committed = disk.transact((tx) =>
        life.isDead ? Promise.reject(new Error('the process is dead')) : work(tx),
      );
      return whileAlive(
        committed.then((value) => {
          life.isDead ||= life.diesAtCommit;
          return value;
        }),
      );
    },
    read: (work) => whileAlive(disk.read(work)),
    close: () => disk.close(),
  };
}

export interface Press {
  readonly setup?: number;
  readonly seen?: number;
  readonly by?: UserId;
  readonly channel?: ChannelId;
  readonly project?: ProjectKey;
  readonly request?: Partial<BidRequest>;
  /** The bids shown in the form; by default the current ones. */
  readonly shown?: Readonly<Record<string, number>>;
}

export class BiddingWorld {
  readonly clock = new ManualClock();
  readonly disk = createMemoryStore();
  readonly market = new ModelMarket();
  bidding: BiddingService;
  /** Makes every commit of the process fail. */
  isDiskFull = false;
  #life: Life = { isDead: false, diesAtCommit: false };
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor() {
    this.bidding = this.#create();
  }

  #create(): BiddingService {
    const marketplace = this.market.client();
    const list = async () => ({ setups: await marketplace.fetchBiddingSetups({ lane: 'person' }) });
    const setups: SetupService = {
      readStoredSetups: list,
      refreshIfOlderThan: list,
      fetchTemplate: () => Promise.reject(new Error('no template is asked for here')),
      findKnownTemplate: () => undefined,
      onSetupsStored: () => undefined,
    };
    this.#life = { isDead: false, diesAtCommit: false };
    const disk: Store = {
      ...this.disk,
      transact: (work) => {
        if (this.isDiskFull) this.disk.failNext();
        return this.disk.transact(work);
      },
    };
    const store = ownStore(disk, this.#life);
    const random = seededRandom(1);
    return createBiddingService({
      team,
      store,
      setups,
      marketplace,
      clock: this.clock,
      random,
      log: silentLog,
    });
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#running = this.bidding.runJobTracking(this.#stop.signal);
    await settle();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await settle();
    await this.#running;
  }

  /** Ends the process abruptly: waiting calls never settle. */
  crash(): void {
    this.#life.isDead = true;
    this.bidding = this.#create();
  }

  /** Makes the process die at its next commit. */
  doom(isDoomed = true): void {
    this.#life.diesAtCommit = isDoomed;
  }

  async restartWhereDead(): Promise<void> {
    if (!this.#life.isDead) return;
    this.crash();
    await this.start();
  }

  /** Passes time, timer by timer. */
  pass(ms: number): Promise<void> {
    return passTime(this.clock, ms);
  }

  /** The bids that a form would show now, by id. */
  async shownNow(): Promise<Record<string, number>> {
    return Object.fromEntries((await this.all(bids)).map(({ id, attempt }) => [id, attempt]));
  }

  async bid({
    setup = 1,
    seen = 0,
    request = {},
    shown,
    ...press
  }: Press = {}): Promise<BidSubmissionResult> {
    const { bidding } = this;
    const whole = { setup: setupId(setup), marketplaceJobId: '~0123', ...request };
    return bidding.submitBid({
      project,
      title: 'A shop',
      channel: sales,
      by: ann,
      ...press,
      request: whole,
      seenAttempts: { [bidId(whole.marketplaceJobId, whole.setup)]: seen },
      shownAttempts: shown ?? (await this.shownNow()),
    });
  }

  async approve(job: JobId, seen = 0, by = ann): Promise<JobApprovalResult> {
    const rightIn = (await this.job(job))?.channel;
    const shown = await this.shownOf(job);
    return this.bidding.approveJob({
      job,
      by,
      channel: sales,
      authorizedChannel: rightIn,
      seenAttempt: seen,
      shown,
    });
  }

  /** The hash of what Review would show now: our record, or the marketplace's state of a job without one. */
  async shownOf(id: JobId): Promise<string> {
    const job = (await this.job(id)) ?? this.market.jobs.get(id);
    if (!job) return 'nothing';
    return this.disk.read(async (tx) =>
      hashApprovalFacts(listApprovalFacts(await readApprovalSubject(tx, team, job))),
    );
  }

  /** Stores a card of the project in a channel. */
  addCard(channel: ChannelId): Promise<void> {
    const at = this.clock.now();
    const card = { team, channel, project, filters: [], foundAt: at, state: 'posted' as const };
    const settings = defaultChannelSettings(team, channel);
    const telling = { order: at, at, settings, timezone: 'UTC', seen: undefined };
    return this.disk.transact((tx) => saveCardAndPost(tx, card, undefined, telling));
  }

  bidOf(setup = 1): Promise<Bid | undefined> {
    return this.disk.read((tx) => tx.get(bids, bidKey(team, bidId('~0123', setupId(setup)))));
  }

  job(id: JobId): Promise<Job | undefined> {
    return this.disk.read((tx) => tx.get(jobs, jobKey(team, id)));
  }

  all<T>(collection: Collection<T>): Promise<T[]> {
    return this.disk.read(async (tx) => {
      const found: T[] = [];
      for await (const { value } of scanCollection(tx, collection, { prefix: [team] })) found.push(value);
      return found;
    });
  }

  posts(): Promise<Post[]> {
    return this.all(posts);
  }

  audit(): Promise<AuditEntry[]> {
    return this.all(auditEntries);
  }

  /** Posts to threads, in sending order. */
  async news(): Promise<BidNews[]> {
    const told = (await this.posts()).sort((a, b) => a.order - b.order);
    return told.flatMap(({ content }) => (content.kind === 'bid-news' ? [content.news] : []));
  }
}
