/** Outcomes on an in-memory store: following channels, our jobs, and the posts about changes. */
import { type Job, jobKey, jobs } from '../../src/bidding/records.ts';
import type { Instant } from '../../src/clock.ts';
import {
  channelSettings,
  channelSettingsKey,
  defaultChannelSettings,
  type NoiseLevel,
} from '../../src/feed/records.ts';
import { ChannelId, JobId, ProfileId } from '../../src/ids.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import type { BidNews, OutcomeCounts, OutcomeList, OutcomeNews } from '../../src/outbox/news.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, PostId } from '../../src/outbox/posts.ts';
import { type ProfileFeedKind, profileFeedKey, profileFeeds } from '../../src/profiles/records.ts';
import { announceOutcomes } from '../../src/proposals/announce-outcomes.ts';
import type { ProposalChange } from '../../src/proposals/mirror.ts';
import type { Store } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { ann, newJob, START, team } from '../bidding/follow-world.ts';
import { createMemoryStore } from '../memory-store.ts';
import { plainProposal } from '../plain-proposal.ts';
import { storedPosts } from '../stored-posts.ts';

export const HOME = PostId.parse('job:C1:12');

/** A proposal of profile 1, sent an hour after the start. */
export function sent(id: number, change: Partial<Proposal> = {}): Proposal {
  return plainProposal(id, {
    applicationUid: `A${id}`,
    jobTitle: `Job ${id}`,
    profile: { id: ProfileId.parse(1), label: 'Acme Agency' },
    submittedAt: START + 3_600_000,
    ...change,
  });
}

export class OutcomesWorld {
  readonly clock = new ManualClock(START + 7_200_000);
  readonly disk = createMemoryStore();
  wrap: (store: Store) => Store = (store) => store;

  /** At the level “everything”, unless another is given. */
  async follow(
    where: string,
    change: { profile?: number; kind?: ProfileFeedKind; startsAt?: Instant; level?: NoiseLevel } = {},
  ): Promise<void> {
    const { profile = 1, kind = 'outcomes', startsAt = START, level = 'everything' } = change;
    const feed = {
      team,
      channel: ChannelId.parse(where),
      kind,
      profile: ProfileId.parse(profile),
      by: ann,
      createdAt: startsAt,
      startsAt,
    };
    await this.disk.transact((tx) => tx.put(profileFeeds, profileFeedKey(feed), feed));
    if (level !== 'normal') await this.setLevel(where, level);
  }

  setLevel(where: string, level: NoiseLevel): Promise<void> {
    const channel = ChannelId.parse(where);
    const key = channelSettingsKey(team, channel);
    return this.disk.transact(async (tx) => {
      const before = (await tx.get(channelSettings, key)) ?? defaultChannelSettings(team, channel);
      await tx.put(channelSettings, key, { ...before, level });
    });
  }

  /** A job of ours in C1 that became the application. */
  async keepJob(applicationUid: string, change: Partial<Job> = {}): Promise<void> {
    const job = newJob(12, {
      applicationUid,
      home: HOME,
      follow: { state: 'settled', at: START },
      ...change,
    });
    await this.disk.transact(async (tx) => {
      const content = { kind: 'job', job: job.id } as const;
      await enqueuePost(tx, { team, id: HOME, channel: job.channel, content, order: START, at: START });
      await tx.put(jobs, jobKey(team, job.id), job);
    });
  }

  job(id = 12): Promise<Job | undefined> {
    return this.disk.read((tx) => tx.get(jobs, jobKey(team, JobId.parse(id))));
  }

  tell(...changes: readonly ProposalChange[]): Promise<void> {
    return announceOutcomes(
      { team, store: this.wrap(this.disk), clock: this.clock, timezone: 'UTC' },
      changes,
    );
  }

  /** Changes a proposal's status. */
  async turn(before: Proposal, change: Partial<Proposal>): Promise<Proposal> {
    const now = { ...before, ...change };
    this.clock.moveBy(1_000);
    await this.tell({ before, now });
    return now;
  }

  posts(where: string): Promise<Post[]> {
    return storedPosts(this.disk, team, ({ channel }) => channel === where);
  }

  async messages(where: string): Promise<OutcomeNews[]> {
    return (await this.posts(where)).flatMap(({ content }) =>
      content.kind === 'outcome' ? [content.news] : [],
    );
  }

  /** `17: hired, viewed` for each message. */
  async told(where: string): Promise<string[]> {
    return (await this.messages(where)).map((each) => `${each.proposal}: ${each.outcomes.join(', ')}`);
  }

  async rests(where: string): Promise<OutcomeCounts[]> {
    return (await this.posts(where)).flatMap(({ content }) =>
      content.kind === 'outcomes-rest' ? [content.rest] : [],
    );
  }

  async lists(where: string): Promise<OutcomeList[]> {
    return (await this.posts(where)).flatMap(({ content }) =>
      content.kind === 'outcome-list' ? [content.list] : [],
    );
  }

  async thread(where = 'C1'): Promise<BidNews[]> {
    return (await this.posts(where)).flatMap(({ content, under }) =>
      content.kind === 'bid-news' && under === HOME ? [content.news] : [],
    );
  }
}
