/**
 * Posts notices about profiles that can't be read: each following channel hears of the failure once, and of
 * its end once. Call these inside the transaction that records the sync's state.
 */
import type { Clock, Instant } from '../clock.ts';
import type { DirectoryEntryKind } from '../directory/directory.ts';
import { isSubscriptionActive, readChannelSettings } from '../feed/channels.ts';
import { feedStates, filterStates } from '../feed/records.ts';
import type { ChannelId } from '../ids.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import {
  failureNoticeKey,
  getFailureRule,
  getNoticeCode,
  getProfileConcern,
  type SourceFailure,
  shouldNotifyFailure,
} from '../sources/failure-rules.ts';
import {
  type Collection,
  type ReadTransaction,
  type Store,
  type StoredEntry,
  scanCollection,
  type Transaction,
} from '../storage/store.ts';
import { listFeedsOfProfile, readDirectoryName, readProfileSync } from './profile-feeds.ts';
import { type ProfileFeed, type ProfileFeedKind, type ProfileSync, profileSyncs } from './records.ts';

function feedKindOf({ of }: ProfileSync): ProfileFeedKind {
  return of === 'proposals' ? 'outcomes' : of;
}

/**
 * Feeds that depend on this sync: those of its organization; for a whole profile, also those without their
 * own sync. Channels that Slack refuses get no notices.
 */
async function listeners(tx: ReadTransaction, sync: ProfileSync): Promise<readonly ProfileFeed[]> {
  const found: ProfileFeed[] = [];
  for (const feed of await listFeedsOfProfile(tx, feedKindOf(sync), sync.profile)) {
    if (feed.stopped) continue;
    if (feed.organization === sync.organization) found.push(feed);
    else if (sync.organization === undefined && (await readProfileSync(tx, feed))?.organization === undefined)
      found.push(feed);
  }
  return found;
}

async function named<Id extends number>(tx: ReadTransaction, kind: DirectoryEntryKind, id: Id) {
  return { id, name: await readDirectoryName(tx, kind, id) };
}

async function subject(tx: ReadTransaction, sync: ProfileSync) {
  const { profile, organization } = sync;
  const about = { feed: feedKindOf(sync), profile: await named(tx, 'profile', profile) };
  if (organization === undefined) return about;
  return { ...about, organization: await named(tx, 'organization', organization) };
}

function matterOf(sync: ProfileSync): string {
  return `${sync.of}:${sync.profile}:${sync.organization ?? 0}`;
}

/** Syncs of other profiles that fail for the same reason and were announced to channels. */
async function alikeTroubles(tx: ReadTransaction, sync: ProfileSync, trouble: SourceFailure) {
  // Others concern the connection to the marketplace, and so all profiles.
  if (getProfileConcern(trouble.code) === 'source') return [];
  const found: ProfileSync[] = [];
  for await (const { value } of scanCollection(tx, profileSyncs)) {
    const { trouble: other } = value;
    if (!other?.told?.length || matterOf(value) === matterOf(sync)) continue;
    if (getNoticeCode(other.code) === getNoticeCode(trouble.code)) found.push(value);
  }
  return found;
}

/** Channels that were notified of the same failure through another profile that they still follow. */
async function hearers(tx: ReadTransaction, sync: ProfileSync, trouble: SourceFailure) {
  const heard = new Set<ChannelId>();
  for (const other of await alikeTroubles(tx, sync, trouble)) {
    const notified = new Set(other.trouble?.told);
    for (const { channel } of await listeners(tx, other)) if (notified.has(channel)) heard.add(channel);
  }
  return heard;
}

/**
 * Notifies each following channel that hasn't heard of the failure in `sync`, once it lasts longer than a
 * short hiccup. Paused channels get the notice after their pause. Call it on every failure, including
 * repeated ones.
 * @param sync with its current `trouble`; it need not be stored yet.
 * @returns the stored record, with all notified channels.
 */
export async function notifyProfileFailure(tx: Transaction, sync: ProfileSync, at: Instant) {
  const { trouble } = sync;
  const notified = new Set(trouble?.told);
  if (trouble && shouldNotifyFailure(trouble, at)) {
    const matter = `profile-${failureNoticeKey(trouble, matterOf(sync))}`;
    const heard = await hearers(tx, sync, trouble);
    for (const feed of await listeners(tx, sync)) {
      const { channel } = feed;
      if (heard.has(channel) && !notified.has(channel)) continue;
      if (!isSubscriptionActive(feed, await readChannelSettings(tx, channel), at)) continue;
      const { code, since } = trouble;
      const notice = { about: 'profile-failing', ...(await subject(tx, sync)), code, since } as const;
      await enqueueNotice(tx, { channel, matter, at }, notice);
      notified.add(channel);
    }
  }
  const now = trouble && notified.size > 0 ? { ...sync, trouble: { ...trouble, told: [...notified] } } : sync;
  await tx.put(profileSyncs, now);
  return now;
}

/**
 * Stores a sync after a successful read. If it was failing, notifies everyone who heard of it, and still
 * follows, that this is over.
 * @param sync with its `trouble` until now, and any other new values.
 * @returns the stored record, without the failure.
 */
export async function recordWorkingSync(tx: Transaction, sync: ProfileSync, at: Instant) {
  const { trouble, ...well } = sync;
  if (trouble?.told?.length) {
    const notified = new Set(trouble.told);
    const { since } = trouble;
    const notice = { about: 'profile-recovered', ...(await subject(tx, sync)), since } as const;
    const matter = `profile-recovered:${matterOf(sync)}:${since}`;
    for (const { channel } of await listeners(tx, sync))
      if (notified.has(channel)) await enqueueNotice(tx, { channel, matter, at }, notice);
  }
  await tx.put(profileSyncs, well);
  return well;
}

/**
 * At the start of a workspace: failures that a new token or a new account may have mended are due again, of
 * filters, invitations and proposals alike. Transient failures keep their pauses.
 */
export async function retryLastingFailures(context: {
  readonly store: Store;
  readonly clock: Clock;
}): Promise<void> {
  const { store, clock } = context;
  const at = clock.now();
  await store.transact(async (tx) => {
    await makeDue(tx, feedStates, at);
    await makeDue(tx, filterStates, at);
    await makeDue(tx, profileSyncs, at);
  });
}

async function makeDue<T extends { readonly trouble?: SourceFailure | undefined }>(
  tx: Transaction,
  collection: Collection<T>,
  at: Instant,
): Promise<void> {
  const found: StoredEntry<T>[] = [];
  for await (const entry of scanCollection(tx, collection)) found.push(entry);
  for (const { value } of found) {
    const { trouble } = value;
    if (trouble && !getFailureRule(trouble.code).transient && trouble.retryAt > at)
      await tx.put(collection, { ...value, trouble: { ...trouble, retryAt: at } });
  }
}
