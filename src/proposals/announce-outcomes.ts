/**
 * Announces outcomes of proposals: on the cards of the team's own jobs, and in channels that follow their
 * profiles.
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import { findJobsByApplication, recordProposalOutcome } from '../bidding/record-job-status.ts';
import { type Clock, DAY, type Instant } from '../clock.ts';
import type { ChannelId, ProfileId, TeamId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { OutcomeNews, ProposalOutcome } from '../outbox/news.ts';
import { listFeedsOfProfile, readDirectoryName } from '../profiles/profile-feeds.ts';
import { type ProfileFeed, profileFeedKey, profileFeeds } from '../profiles/records.ts';
import type { ReadTransaction, Store, Transaction } from '../storage/store.ts';
import type { ProposalChange } from './mirror.ts';
import {
  addToOutcomeCounts,
  clearOldPostedOutcomes,
  enqueueOutcomePosts,
  excludePostedOutcomes,
  isProposalChangeNews,
  listLostOutcomes,
  listNewOutcomes,
  listReachedOutcomes,
  readPostedOutcomes,
  recordPostedOutcomes,
} from './outcomes.ts';

interface OutcomesContext {
  readonly team: TeamId;
  readonly store: Store;
  /** IANA name; applies where a channel has none. */
  readonly timezone: string;
  readonly clock: Clock;
}

/**
 * Older proposals that weren't known before count as history for every follower, so a repeated copy announces
 * nothing twice. Shorter than the time for which posted outcomes are kept.
 */
const NEWS_FOR_MS = 90 * DAY;

interface Followers {
  /** One feed for each channel that follows outcomes. */
  readonly outcomes: readonly ProfileFeed[];
  /** Since when anyone has followed any feed of this profile; outcomes after that are news. */
  readonly since: Instant | undefined;
  readonly profileName: string | undefined;
}

async function readFollowers(
  tx: ReadTransaction,
  team: TeamId,
  profile: ProfileId | undefined,
): Promise<Followers> {
  if (profile === undefined) return { outcomes: [], since: undefined, profileName: undefined };
  const outcomes = await listFeedsOfProfile(tx, team, 'outcomes', profile);
  const all = [...outcomes, ...(await listFeedsOfProfile(tx, team, 'invitations', profile))];
  const since = all.length > 0 ? Math.min(...all.map(({ startsAt }) => startsAt)) : undefined;
  const profileName = await readDirectoryName(tx, team, 'profile', profile);
  return { outcomes: [...new Map(outcomes.map((it) => [it.channel, it])).values()], since, profileName };
}

function buildOutcomeNews(
  proposal: Proposal,
  outcomes: readonly ProposalOutcome[],
  profileName: string | undefined,
): OutcomeNews {
  const { id, jobTitle, freelancer, profile, template } = proposal;
  const { variant, connects, boost, position, submittedAt } = proposal;
  return omitUndefined({
    proposal: id,
    outcomes: [...outcomes],
    title: jobTitle,
    freelancer: freelancer?.name,
    profile: profile?.label ?? profileName,
    template: template?.name,
    variant,
    connects,
    boost,
    position,
    submittedAt,
  });
}

/** For channels that Slack refuses: counts the outcomes for one message after the channel resumes. */
async function deferOutcomes(
  tx: Transaction,
  feed: ProfileFeed,
  news: readonly OutcomeNews[],
): Promise<void> {
  if (!feed.stopped) return;
  const stopped = { ...feed.stopped, heldBack: addToOutcomeCounts(feed.stopped.heldBack, news) };
  await tx.put(profileFeeds, profileFeedKey(feed), { ...feed, stopped });
}

/** Collects the announcements of one call before it posts anything. */
class OutcomeAnnouncements {
  readonly #tx: Transaction;
  readonly #team: TeamId;
  readonly #at: Instant;
  readonly #followers = new Map<ProfileId | undefined, Followers>();
  readonly byChannel = new Map<ChannelId, OutcomeNews[]>();
  /** For channels that Slack refuses. */
  readonly heldBack = new Map<ProfileFeed, OutcomeNews[]>();

  constructor(tx: Transaction, team: TeamId, at: Instant) {
    this.#tx = tx;
    this.#team = team;
    this.#at = at;
  }

  async #followersOf(profile: ProfileId | undefined): Promise<Followers> {
    const read = this.#followers.get(profile) ?? (await readFollowers(this.#tx, this.#team, profile));
    this.#followers.set(profile, read);
    return read;
  }

  #since(since: Instant): Instant {
    return Math.max(since, this.#at - NEWS_FOR_MS);
  }

  /** @returns the channels of its jobs, and the outcomes posted in their threads */
  async #tellJobs(change: ProposalChange, told: readonly ProposalOutcome[], since: Instant | undefined) {
    const channels = new Set<ChannelId>();
    const fresh = new Set<ProposalOutcome>();
    for (const job of await findJobsByApplication(this.#tx, this.#team, change.now.applicationUid)) {
      channels.add(job.channel);
      const from = this.#since(since ?? job.knownAt);
      // The card has shown these outcomes since the proposal was linked.
      const seen = [...told, ...listReachedOutcomes(job.proposal)];
      const news = isProposalChangeNews(change, from)
        ? excludePostedOutcomes(listNewOutcomes(change, from), seen)
        : undefined;
      await recordProposalOutcome(this.#tx, job, change.now, news, this.#at);
      for (const each of news ?? []) fresh.add(each);
    }
    return { channels, fresh };
  }

  #add(feed: ProfileFeed, news: OutcomeNews): void {
    const { channel, stopped } = feed;
    if (stopped) this.heldBack.set(feed, [...(this.heldBack.get(feed) ?? []), news]);
    else this.byChannel.set(channel, [...(this.byChannel.get(channel) ?? []), news]);
  }

  async take(change: ProposalChange): Promise<void> {
    const { before, now } = change;
    const told = await readPostedOutcomes(this.#tx, this.#team, now.id);
    const { outcomes, since, profileName } = await this.#followersOf(now.profile?.id ?? before?.profile?.id);
    const { channels, fresh } = await this.#tellJobs(change, told, since);
    for (const feed of outcomes) {
      const news = excludePostedOutcomes(listNewOutcomes(change, this.#since(feed.startsAt)), told);
      if (news.length === 0 || channels.has(feed.channel)) continue;
      this.#add(feed, buildOutcomeNews(now, news, profileName));
      for (const each of news) fresh.add(each);
    }
    await recordPostedOutcomes(
      this.#tx,
      this.#team,
      now.id,
      [...fresh, ...listLostOutcomes(change)],
      this.#at,
    );
  }
}

/**
 * Announces the changes of one page in one transaction. A repeated call with the same changes announces
 * nothing twice. Cards of the team's own jobs show outcomes even where no channel follows them.
 * @throws StorageError; nothing was announced then.
 */
export async function announceOutcomes(
  { team, store, timezone, clock }: OutcomesContext,
  changes: readonly ProposalChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await store.transact(async (tx) => {
    const at = clock.now();
    const telling = new OutcomeAnnouncements(tx, team, at);
    for (const change of changes) await telling.take(change);
    for (const [channel, news] of telling.byChannel)
      await enqueueOutcomePosts(tx, { team, channel, at, timezone }, news);
    for (const [feed, news] of telling.heldBack) await deferOutcomes(tx, feed, news);
    await clearOldPostedOutcomes(tx, team, at);
  });
}
