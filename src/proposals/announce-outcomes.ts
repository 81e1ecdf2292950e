/**
 * Announces outcomes of proposals: on the cards of the team's own jobs, and in channels that follow their
 * profiles.
 */
import { findJobsByApplication, recordProposalOutcome } from '../bidding/record-job-status.ts';
import { type Clock, DAY, type Instant } from '../clock.ts';
import { readChannelSettings } from '../feed/channels.ts';
import type { NoiseLevel } from '../feed/records.ts';
import type { ChannelId, ProfileId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { OutcomeNews, ProposalOutcome } from '../outbox/news.ts';
import { listFeedsOfProfile, readDirectoryName } from '../profiles/profile-feeds.ts';
import { type ProfileFeed, profileFeeds } from '../profiles/records.ts';
import type { ReadTransaction, Store, Transaction } from '../storage/store.ts';
import type { ProposalChange } from './mirror.ts';
import {
  countOutcomes,
  enqueueOutcomePosts,
  excludePostedOutcomes,
  isProposalChangeNews,
  listLostOutcomes,
  listNewOutcomes,
  listReachedOutcomes,
  listWantedOutcomes,
  readPostedOutcomes,
  recordPostedOutcomes,
  sumOutcomeCounts,
} from './outcomes.ts';

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

async function readFollowers(tx: ReadTransaction, profile: ProfileId | undefined): Promise<Followers> {
  if (profile === undefined) return { outcomes: [], since: undefined, profileName: undefined };
  const outcomes = await listFeedsOfProfile(tx, 'outcomes', profile);
  const all = [...outcomes, ...(await listFeedsOfProfile(tx, 'invitations', profile))];
  const since = all.length > 0 ? Math.min(...all.map(({ startsAt }) => startsAt)) : undefined;
  const profileName = await readDirectoryName(tx, 'profile', profile);
  return { outcomes: [...new Map(outcomes.map((it) => [it.channel, it])).values()], since, profileName };
}

function buildOutcomeNews(
  proposal: Proposal,
  outcomes: readonly ProposalOutcome[],
  profileName: string | undefined,
): OutcomeNews {
  const { id, jobTitle, freelancer, profile, template } = proposal;
  const { variant, connects, boost, position, submittedAt } = proposal;
  return {
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
  };
}

/** For channels that Slack refuses: counts the outcomes for one message after the channel resumes. */
async function deferOutcomes(tx: Transaction, feed: ProfileFeed, news: readonly OutcomeNews[]) {
  if (!feed.stopped) return;
  const counts = sumOutcomeCounts(feed.stopped.heldBack, countOutcomes(news));
  const stopped = { ...feed.stopped, heldBack: { ...counts, heldBack: true as const } };
  await tx.put(profileFeeds, { ...feed, stopped });
}

async function collectAnnouncements(tx: Transaction, at: Instant, changes: readonly ProposalChange[]) {
  const byChannel = new Map<ChannelId, OutcomeNews[]>();
  /** For channels that Slack refuses. */
  const heldBack = new Map<ProfileFeed, OutcomeNews[]>();
  const followersByProfile = new Map<ProfileId | undefined, Followers>();
  const levels = new Map<ChannelId, NoiseLevel>();
  const newsSince = (since: Instant) => Math.max(since, at - NEWS_FOR_MS);

  async function followersOf(profile: ProfileId | undefined): Promise<Followers> {
    const read = followersByProfile.get(profile) ?? (await readFollowers(tx, profile));
    followersByProfile.set(profile, read);
    return read;
  }

  async function levelOf(channel: ChannelId): Promise<NoiseLevel> {
    const level = levels.get(channel) ?? (await readChannelSettings(tx, channel)).level ?? 'normal';
    levels.set(channel, level);
    return level;
  }

  async function add(to: ProfileFeed | { readonly channel: ChannelId }, news: OutcomeNews): Promise<void> {
    const { channel } = to;
    const outcomes = [...listWantedOutcomes(news.outcomes, await levelOf(channel), false)];
    if (outcomes.length === 0) return;
    const wanted = { ...news, outcomes };
    if ('stopped' in to && to.stopped) heldBack.set(to, [...(heldBack.get(to) ?? []), wanted]);
    else byChannel.set(channel, [...(byChannel.get(channel) ?? []), wanted]);
  }

  /**
   * Posts in the threads of its jobs what the levels of their channels want. A hire is a message, too.
   * @returns the channels of its jobs, and the outcomes that were new to them
   */
  async function postToJobs(
    change: ProposalChange,
    posted: readonly ProposalOutcome[],
    { since, outcomes, profileName }: Followers,
  ) {
    const channels = new Set<ChannelId>();
    const fresh = new Set<ProposalOutcome>();
    for (const job of await findJobsByApplication(tx, change.now.applicationUid)) {
      channels.add(job.channel);
      const from = newsSince(since ?? job.knownAt);
      // The card has shown these outcomes since the proposal was linked.
      const seen = [...posted, ...listReachedOutcomes(job.proposal)];
      const news = isProposalChangeNews(change, from)
        ? excludePostedOutcomes(listNewOutcomes(change, from), seen)
        : undefined;
      const wanted = news && listWantedOutcomes(news, await levelOf(job.channel), true);
      await recordProposalOutcome(tx, job, change.now, wanted, at);
      for (const each of news ?? []) fresh.add(each);
      if (!news?.includes('hired')) continue;
      const feed = outcomes.find(({ channel }) => channel === job.channel);
      await add(feed ?? { channel: job.channel }, buildOutcomeNews(change.now, ['hired'], profileName));
    }
    return { channels, fresh };
  }

  for (const change of changes) {
    const { before, now } = change;
    const posted = await readPostedOutcomes(tx, now.id);
    const followers = await followersOf(now.profile?.id ?? before?.profile?.id);
    const { channels, fresh } = await postToJobs(change, posted, followers);
    for (const feed of followers.outcomes) {
      const news = excludePostedOutcomes(listNewOutcomes(change, newsSince(feed.startsAt)), posted);
      if (news.length === 0 || channels.has(feed.channel)) continue;
      await add(feed, buildOutcomeNews(now, news, followers.profileName));
      for (const each of news) fresh.add(each);
    }
    await recordPostedOutcomes(tx, now.id, [...fresh, ...listLostOutcomes(change)], at);
  }
  return { byChannel, heldBack };
}

/**
 * Announces the changes of one page in one transaction. A repeated call with the same changes announces
 * nothing twice. Cards of the team's own jobs show outcomes even where no channel follows them.
 * @param context `timezone`: IANA name; applies where a channel has none
 * @throws StorageError; nothing was announced then.
 */
export async function announceOutcomes(
  context: { readonly store: Store; readonly timezone: string; readonly clock: Clock },
  changes: readonly ProposalChange[],
): Promise<void> {
  const { store, timezone, clock } = context;
  if (changes.length === 0) return;
  await store.transact(async (tx) => {
    const at = clock.now();
    const { byChannel, heldBack } = await collectAnnouncements(tx, at, changes);
    for (const [channel, news] of byChannel) await enqueueOutcomePosts(tx, { channel, at, timezone }, news);
    for (const [feed, news] of heldBack) await deferOutcomes(tx, feed, news);
  });
}
