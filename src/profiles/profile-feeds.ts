/** A profile's feeds in channels: finds them, their syncs and names, and stops or restarts them. */
import type { Instant } from '../clock.ts';
import { type DirectoryEntryKind, directoryEntries } from '../directory/directory.ts';
import type { ProfileFeedControl } from '../feed/feed.ts';
import type { ChannelId, ProfileId, UserId } from '../ids.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import { listAllValues, type ReadTransaction, type Transaction } from '../storage/store.ts';
import {
  type ProfileFeed,
  type ProfileFeedKind,
  type ProfileSync,
  profileFeedKey,
  profileFeeds,
  profileSyncKey,
  profileSyncs,
} from './records.ts';

export interface ProfileFeedStatus {
  readonly feed: ProfileFeed;
  readonly profileName?: string;
  readonly organizationName?: string;
  readonly sync?: ProfileSync;
  readonly lastGoodAt?: Instant;
}

/** Feeds of one kind for a profile, including those of single organizations. */
export function listFeedsOfProfile(tx: ReadTransaction, kind: ProfileFeedKind, profile: ProfileId) {
  return listAllValues(tx, profileFeeds, { index: 'byProfile', prefix: [kind, profile] });
}

function listFeedsInChannel(tx: ReadTransaction, channel: ChannelId): Promise<ProfileFeed[]> {
  return listAllValues(tx, profileFeeds, { prefix: [channel] });
}

export async function findProfileFeed(tx: ReadTransaction, feed: Parameters<typeof profileFeedKey>[0]) {
  return tx.get(profileFeeds, profileFeedKey(feed));
}

/** Whether the channel follows a profile, stopped or not. */
export async function hasProfileFeed(tx: ReadTransaction, channel: ChannelId): Promise<boolean> {
  return (await tx.list(profileFeeds, { prefix: [channel], limit: 1 })).length > 0;
}

/** Whether a profile feed of the channel isn't stopped. */
export async function hasRunningProfileFeed(tx: ReadTransaction, channel: ChannelId): Promise<boolean> {
  return (await listFeedsInChannel(tx, channel)).some(({ stopped }) => !stopped);
}

/** Who subscribed the channel to profiles; may repeat a person. */
export async function listProfileFollowers(tx: ReadTransaction, channel: ChannelId): Promise<UserId[]> {
  return (await listFeedsInChannel(tx, channel)).map(({ by }) => by);
}

/** The sync of a feed's own organization if there is one, else of the whole profile. */
export async function readProfileSync(
  tx: ReadTransaction,
  { kind, profile, organization }: Pick<ProfileFeed, 'kind' | 'profile' | 'organization'>,
): Promise<ProfileSync | undefined> {
  const whole = { of: kind === 'outcomes' ? 'proposals' : kind, profile } as const;
  const own = organization === undefined ? whole : { ...whole, organization };
  return (
    (await tx.get(profileSyncs, profileSyncKey(own))) ?? (await tx.get(profileSyncs, profileSyncKey(whole)))
  );
}

export async function readDirectoryName(tx: ReadTransaction, kind: DirectoryEntryKind, id: number) {
  return (await tx.get(directoryEntries, [kind, id]))?.name;
}

export type NamedProfileFeed = Pick<ProfileFeedStatus, 'feed' | 'profileName' | 'organizationName'>;

export async function nameProfileFeed(tx: ReadTransaction, feed: ProfileFeed): Promise<NamedProfileFeed> {
  const { profile, organization } = feed;
  const profileName = await readDirectoryName(tx, 'profile', profile);
  const organizationName =
    organization === undefined ? undefined : await readDirectoryName(tx, 'organization', organization);
  return { feed, profileName, organizationName };
}

/** The channel's feeds, stopped or not, with their names if known. */
export async function listNamedProfileFeeds(tx: ReadTransaction, channel: ChannelId) {
  const feeds = await listFeedsInChannel(tx, channel);
  return Promise.all(feeds.map((feed) => nameProfileFeed(tx, feed)));
}

/** Restarts a stopped feed; one message sums up what happened meanwhile. */
export async function restartProfileFeed(tx: Transaction, feed: ProfileFeed, at: Instant) {
  const { stopped, ...going } = feed;
  await tx.put(profileFeeds, going);
  const rest = stopped?.heldBack;
  if (stopped && rest) {
    const { channel, profile } = feed;
    const id = PostId.parse(`outcomes-rest:${channel}:stopped:${profile}:${stopped.at}`);
    const content = { kind: 'outcomes-rest', rest } as const;
    await enqueuePost(tx, { id, channel, content, order: at, at });
  }
  return going;
}

/** For the project feed, which learns of refusals and resumes channels. */
export function createProfileFeedControl(): ProfileFeedControl {
  return {
    async stopInChannel(tx, channel, stopped) {
      const by = new Set<ProfileFeed['by']>();
      for (const feed of await listFeedsInChannel(tx, channel)) {
        if (feed.stopped) continue;
        await tx.put(profileFeeds, { ...feed, stopped });
        by.add(feed.by);
      }
      return by;
    },
    async restartInChannel(tx, channel, at) {
      const stopped = (await listFeedsInChannel(tx, channel)).filter((feed) => feed.stopped);
      for (const feed of stopped) await restartProfileFeed(tx, feed, at);
      return stopped.length;
    },
  };
}
