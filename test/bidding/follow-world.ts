/**
 * A tracker on an in-memory store with a scripted marketplace and a manual clock; it can be killed and
 * restarted.
 */
import { createJobTracker, type JobTracker } from '../../src/bidding/job-tracker.ts';
import { type Job, jobs } from '../../src/bidding/records.ts';
import { type Instant, MINUTE } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import type { JobStatusReport, Proposal } from '../../src/marketplace/schema.ts';
import type { BidNews } from '../../src/outbox/news.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, posts } from '../../src/outbox/posts.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import type { Store } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { failure, fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime, settle } from '../pass-time.ts';
import { storedPosts } from '../stored-posts.ts';
import { channel, home, jobNumber, START } from './plain-records.ts';

export class FollowWorld {
  readonly clock = new ManualClock(START);
  readonly disk = createMemoryStore();
  /** The marketplace's answer for each job; a missing one means not found. */
  readonly told = new Map<number, Partial<JobStatusReport> | Error>();
  readonly proposals = new Map<string, Proposal>();
  /** The time of each request, and the requested id. */
  readonly asked: { readonly at: Instant; readonly what: number | string }[] = [];
  #held: Promise<void> | undefined;
  /** Intercepts the store for the tracker. */
  wrap: (store: Store) => Store = (store) => store;
  readonly fake = fakeMarketplace({
    fetchJobStatus: async (id, { signal }) => {
      const told = await this.#answer(id, signal, this.told.get(id));
      return { id, status: 'scheduled', ...told };
    },
    fetchProposalByUid: (uid, { signal }) => this.#answer(uid, signal, this.proposals.get(uid)),
  });
  tracker: JobTracker = this.#create();
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  async #answer<T>(what: number | string, signal: AbortSignal | undefined, found: T | Error | undefined) {
    this.asked.push({ at: this.clock.now(), what });
    await this.#held;
    signal?.throwIfAborted();
    if (found === undefined) throw failure('not-found');
    if (found instanceof Error) throw found;
    return found;
  }

  #create(): JobTracker {
    const { clock } = this;
    const { marketplace } = this.fake;
    const parts = { store: this.wrap(this.disk), marketplace, clock, log: silentLog };
    return createJobTracker({ ...parts, setups: createSetupService(parts), random: () => 0.5 });
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

  /** A process starts, and another that still runs is dead: its pending calls never settle. */
  async restart(): Promise<void> {
    this.#stop.abort(new Error('dead'));
    await settle();
    this.tracker = this.#create();
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
      await enqueuePost(tx, { id: job.home, channel, content, order: START, at: START });
      await tx.put(jobs, [job.id], job);
    });
  }

  async job(id: number): Promise<Job> {
    const job = await this.disk.read((tx) => tx.get(jobs, [jobNumber(id)]));
    if (!job) throw new Error(`no job ${id} on record`);
    return job;
  }

  homePost(): Promise<Post | undefined> {
    return this.disk.read((tx) => tx.get(posts, [home]));
  }

  /** A job's lines in its thread, in sending order. */
  async thread(id = 5): Promise<BidNews[]> {
    const isOfJob = ({ id: post }: Post) => post.startsWith(`news:${channel}:job:${id}:`);
    const found = await storedPosts(this.disk, isOfJob);
    return found.flatMap(({ content }) => (content.kind === 'bid-news' ? [content.news] : []));
  }

  /** The kinds of these lines, in that order. */
  async abouts(id = 5): Promise<BidNews['about'][]> {
    return (await this.thread(id)).map(({ about }) => about);
  }

  /** Times of its requests, in minutes since the start. */
  minutes(what: number | string): number[] {
    return this.asked.filter((each) => each.what === what).map(({ at }) => (at - START) / MINUTE);
  }
}
