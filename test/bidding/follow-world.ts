/**
 * A tracker on an in-memory store with a scripted marketplace and a manual clock; it can be killed and
 * restarted.
 */
import type { BiddingContext } from '../../src/bidding/bidding.ts';
import { decideFirstStatusCheck } from '../../src/bidding/decide-job.ts';
import { createJobTracker, type JobTracker } from '../../src/bidding/job-tracker.ts';
import { type Job, jobKey, jobs } from '../../src/bidding/records.ts';
import { type Instant, MINUTE } from '../../src/clock.ts';
import { ChannelId, JobId, SetupId, TeamId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { JobStatusReport, Proposal } from '../../src/marketplace/schema.ts';
import type { BidNews } from '../../src/outbox/news.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, PostId, postKey, posts } from '../../src/outbox/posts.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import type { Store } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { failure, fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime, settle } from '../pass-time.ts';
import { storedPosts } from '../stored-posts.ts';

export const team = TeamId.parse('T1');
export const channel = ChannelId.parse('C1');
export const ann = UserId.parse('UANN');
export const home = PostId.parse('bid:C1:7:0123');
export const START = Date.UTC(2026, 0, 5, 9);

export const jobNumber = (id: number) => JobId.parse(id);

/** A job's record just after its creation. */
export function newJob(id: number, change: Partial<Job> = {}): Job {
  const at = change.knownAt ?? START;
  return {
    team,
    id: jobNumber(id),
    channel,
    home,
    title: 'Rebuild our checkout',
    setup: SetupId.parse(7),
    status: 'scheduled',
    readAt: at,
    knownAt: at,
    follow: decideFirstStatusCheck(change.scheduledAt, at),
    told: 0,
    ...change,
  };
}

type Told = Partial<JobStatusReport> | Error;

export class FollowWorld {
  readonly clock = new ManualClock(START);
  readonly disk = createMemoryStore();
  /** The marketplace's answer for each job; a missing one means not found. */
  readonly told = new Map<number, Told>();
  readonly proposals = new Map<string, Proposal | MarketplaceError>();
  /** The time of each request, and the requested id. */
  readonly asked: { readonly at: Instant; readonly what: number | string }[] = [];
  /** Intercepts the store for the tracker. */
  wrap: (store: Store) => Store = (store) => store;
  #held: Promise<void> | undefined;
  random = () => 0.5;
  readonly marketplace = fakeMarketplace({
    fetchJobStatus: async (id, { signal }) => {
      this.asked.push({ at: this.clock.now(), what: id });
      const told = this.told.get(id) ?? failure('not-found');
      await this.#held;
      signal?.throwIfAborted();
      if (told instanceof Error) throw told;
      return { id, status: 'scheduled', ...told };
    },
    fetchProposalByUid: async (uid, { signal }) => {
      this.asked.push({ at: this.clock.now(), what: uid });
      await this.#held;
      signal?.throwIfAborted();
      const found = this.proposals.get(uid) ?? failure('not-found');
      if (found instanceof MarketplaceError) throw found;
      return found;
    },
  });
  tracker: JobTracker = this.create();
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  create(): JobTracker {
    const parts = {
      team,
      store: this.wrap(this.disk),
      marketplace: this.marketplace.marketplace,
      clock: this.clock,
      log: silentLog,
    };
    const context: BiddingContext = {
      ...parts,
      setups: createSetupService(parts),
      random: () => this.random(),
    };
    return createJobTracker(context);
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#running = this.tracker.runJobTracking(this.#stop.signal);
    await settle();
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'));
    await settle();
    await this.#running;
  }

  /** Kills the process; its pending calls never settle. */
  async leave(): Promise<void> {
    this.#stop.abort(new Error('dead'));
    await settle();
    this.#running = Promise.resolve();
  }

  /** Kills the process, and another takes over. The old one's pending work is lost. */
  async restart(): Promise<void> {
    this.tracker = this.create();
    await this.start();
  }

  /** Delays all answers until the returned function is called. */
  hold(): () => void {
    let answer = () => {};
    this.#held = new Promise((resolve) => {
      answer = resolve;
    });
    return () => answer();
  }

  /** Passes time, timer by timer. */
  pass(ms: number): Promise<void> {
    return passTime(this.clock, ms);
  }

  /** Stores a job, with its message. */
  async keep(job: Job): Promise<void> {
    await this.disk.transact(async (tx) => {
      const content = { kind: 'job', job: job.id } as const;
      await enqueuePost(tx, { team, id: job.home, channel, content, order: START, at: START });
      await tx.put(jobs, jobKey(team, job.id), job);
    });
  }

  async job(id: number): Promise<Job> {
    const job = await this.disk.read((tx) => tx.get(jobs, jobKey(team, jobNumber(id))));
    if (!job) throw new Error(`no job ${id} on record`);
    return job;
  }

  homePost(): Promise<Post | undefined> {
    return this.disk.read((tx) => tx.get(posts, postKey(team, home)));
  }

  /** The thread's lines, in sending order. */
  async thread(id?: number): Promise<BidNews[]> {
    const found = await storedPosts(
      this.disk,
      team,
      ({ id: post }) => id === undefined || post.startsWith(`news:${channel}:job:${id}:`),
    );
    return found.flatMap(({ content }) => (content.kind === 'bid-news' ? [content.news] : []));
  }

  /** The kinds of the thread's lines, in that order. */
  async abouts(id?: number): Promise<BidNews['about'][]> {
    return (await this.thread(id)).map(({ about }) => about);
  }

  /** Times of its requests, in minutes since the start. */
  minutes(what: number | string): number[] {
    return this.asked.filter((each) => each.what === what).map(({ at }) => (at - START) / MINUTE);
  }
}
