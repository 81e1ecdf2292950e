/** Finds who follows a profile, and what a channel follows. */
import type { ChannelId, ProfileId, TeamId, UserId } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { type ProfileFeed, type ProfileFeedKind, profileFeedKey, profileFeeds } from './records.ts';

/** Feeds of one kind for a profile, including those of single organizations. */
export async function listFeedsOfProfile(
  tx: ReadTransaction,
  team: TeamId,
  kind: ProfileFeedKind,
  profile: ProfileId,
): Promise<ProfileFeed[]> {
  const found: ProfileFeed[] = [];
  const range = { index: 'byProfile', prefix: [team, kind, profile] } as const;
  for await (const { value } of scanCollection(tx, profileFeeds, range)) found.push(value);
  return found;
}

export async function findProfileFeed(
  tx: ReadTransaction,
  feed: Parameters<typeof profileFeedKey>[0],
): Promise<ProfileFeed | undefined> {
  return tx.get(profileFeeds, profileFeedKey(feed));
}

/** Whether the channel follows a profile, stopped or not. */
export async function hasProfileFeed(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<boolean> {
  return (await tx.list(profileFeeds, { prefix: [team, channel], limit: 1 })).length > 0;
}

/** Whether a profile feed of the channel isn't stopped. */
export async function hasRunningProfileFeed(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<boolean> {
  for await (const { value } of scanCollection(tx, profileFeeds, { prefix: [team, channel] }))
    if (!value.stopped) return true;
  return false;
}

/** Who subscribed the channel to profiles; may repeat a person. */
export async function listProfileFollowers(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<UserId[]> {
  const found: UserId[] = [];
  for await (const { value } of scanCollection(tx, profileFeeds, { prefix: [team, channel] }))
    found.push(value.by);
  return found;
}
