/**
 * Which cards were posted or changed since the response clock last looked, in the channels that it watches. A
 * change is noted in its own transaction, so that no crash loses it.
 */
import { z } from 'zod';
import { ChannelId } from '../ids.ts';
import { PostId } from '../outbox/posts.ts';
import { collection, type ReadTransaction, type Transaction } from '../storage/store.ts';

/** A channel whose response clock is on. */
const WatchedChannel = z.object({
  channel: ChannelId,
  /** How many mutes were added since the response clock last looked. Missing: none. */
  newMutes: z.number().optional(),
});
export type WatchedChannel = z.infer<typeof WatchedChannel>;

export const watchedChannels = collection({
  name: 'watched-channels',
  schema: WatchedChannel,
  key: (it) => [it.channel],
});

const CardChange = z.object({
  channel: ChannelId,
  post: PostId,
  /** Missing: only a bid on it changed, which starts no clock. */
  at: z.number().optional(),
});
export type CardChange = z.infer<typeof CardChange>;

export const cardChanges = collection({
  name: 'card-changes',
  schema: CardChange,
  key: (it) => [it.channel, it.post],
});

/** More channels than one workspace watches. */
const MOST_CHANNELS = 1_000;

/** Does nothing in channels that nobody watches. */
export async function noteCardChange(tx: Transaction, change: Required<CardChange>): Promise<void> {
  const { channel } = change;
  if (await tx.has(watchedChannels, [channel])) await tx.put(cardChanges, change);
}

/** Where a card or an invitation was posted. */
export type CardPost = Pick<CardChange, 'channel' | 'post'>;

/** For a change of a bid on these cards. */
export async function noteBidChange(tx: Transaction, posts: readonly CardPost[]): Promise<void> {
  for (const { channel, post } of posts) {
    if (!(await tx.has(watchedChannels, [channel]))) continue;
    const key = [channel, post];
    // A note that is there says more.
    if (!(await tx.has(cardChanges, key))) await tx.put(cardChanges, { channel, post });
  }
}

export async function watchChannel(tx: Transaction, channel: ChannelId, isWatched: boolean): Promise<void> {
  if (isWatched) await tx.put(watchedChannels, { channel });
  else await tx.delete(watchedChannels, [channel]);
}

export async function listWatchedChannels(tx: ReadTransaction): Promise<readonly WatchedChannel[]> {
  return (await tx.list(watchedChannels, { limit: MOST_CHANNELS })).map(({ value }) => value);
}

/** A mute concerns many cards. Does nothing in channels that nobody watches. */
export async function noteMute(tx: Transaction, channel: ChannelId): Promise<void> {
  const watched = await tx.get(watchedChannels, [channel]);
  if (watched) await tx.put(watchedChannels, { ...watched, newMutes: (watched.newMutes ?? 0) + 1 });
}

/** @param seen as read before its cards were looked at; mutes since then stay noted */
export async function clearNotedMutes(tx: Transaction, seen: WatchedChannel): Promise<void> {
  const now = await tx.get(watchedChannels, [seen.channel]);
  if (now && now.newMutes === seen.newMutes) await watchChannel(tx, seen.channel, true);
}

export async function listCardChanges(tx: ReadTransaction, limit: number): Promise<readonly CardChange[]> {
  return (await tx.list(cardChanges, { limit })).map(({ value }) => value);
}
