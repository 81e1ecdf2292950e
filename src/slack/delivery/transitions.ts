/**
 * Every change that delivery makes to a post's state: each is one transaction and keeps concurrent changes.
 * And its queries on indexes: their cost depends on the open work, not on everything stored.
 */
import type { Instant } from '../../clock.ts';
import type { ChannelId, MessageTs } from '../../ids.ts';
import { listPostsOfEachGroup } from '../../outbox/outbox.ts';
import { findDeliveryWork, type Post, type PostId, posts } from '../../outbox/posts.ts';
import { type ReadTransaction, scanCollection, type Transaction } from '../../storage/store.ts';

export type PostDestination = Post['channel'];

export type OutboxWork = Awaited<ReturnType<typeof readOutboxWork>>;

/** The channels with posts that are waiting or were being sent, and those with outdated messages. */
export async function readOutboxWork(tx: ReadTransaction) {
  const toSend = new Set<PostDestination>();
  const toUpdate = new Set<PostDestination>();
  const groupOf = (post: Post) => [post.channel, findDeliveryWork(post) ?? ''];
  for (const post of await listPostsOfEachGroup(tx, 'byWork', [], groupOf))
    (findDeliveryWork(post) === 'changed' ? toUpdate : toSend).add(post.channel);
  return { toSend, toUpdate };
}

/** Small, because mostly the first post is the one. */
const BATCH = 5;

/** A channel's posts to send, in order; from `sending`: after those whose arrival is unknown. */
export async function* iteratePostsToSend(
  tx: ReadTransaction,
  channel: PostDestination,
  from: 'sending' | 'waiting',
): AsyncGenerator<Post> {
  const range = { index: 'byWork', prefix: [channel], from: [from] } as const;
  for await (const { value } of scanCollection(tx, posts, range, BATCH)) yield value;
}

/** The newest outdated message of a channel. @param isHeld these are skipped */
export async function findNewestOutdatedPost(
  tx: ReadTransaction,
  channel: PostDestination,
  isHeld: (post: PostId) => boolean,
): Promise<Post | undefined> {
  const range = { index: 'byWork', prefix: [channel, 'changed'], reverse: true } as const;
  for await (const { value } of scanCollection(tx, posts, range, BATCH)) if (!isHeld(value.id)) return value;
  return undefined;
}

/** Changes the stored post, unless another change has moved it out of `from`. */
async function change(tx: Transaction, post: Post, from: Post['state'], next: (now: Post) => Post) {
  const key = [post.id];
  const now = await tx.get(posts, key);
  if (now?.state !== from) return false;
  await tx.put(posts, next(now));
  return true;
}

function ended(post: Post): Post {
  const { sendingSince: _, ...rest } = post;
  return rest;
}

/**
 * Call before sending: from here on the post may be in Slack. `shown` is the revision being sent.
 * @param post waits, as this transaction read it
 */
export function markPostSending(tx: Transaction, post: Post, at: Instant): Promise<void> {
  const sending: Post = { ...post, state: 'sending', sendingSince: at, shown: post.revision };
  return tx.put(posts, sending);
}

/** Call after sending: the post is in Slack. */
export function markPostPosted(
  tx: Transaction,
  post: Post,
  place: { readonly channel: ChannelId; readonly ts: MessageTs },
): Promise<boolean> {
  return change(tx, post, 'sending', (now) => ({
    ...ended(now),
    state: 'posted',
    ts: place.ts,
    postedIn: place.channel === now.channel ? now.postedIn : place.channel,
  }));
}

/** The post is certainly not in Slack: send it again. */
export function markPostWaiting(tx: Transaction, post: Post): Promise<boolean> {
  return change(tx, post, 'sending', (now) => ({ ...ended(now), state: 'waiting' }));
}

/** The post is never sent. */
export function markPostFailed(tx: Transaction, post: Post, failure: string): Promise<boolean> {
  return change(tx, post, post.state, (now) => ({ ...ended(now), state: 'failed', failure }));
}

/** After an update, or when no update will ever work: the message counts as this revision. */
export function markPostRevisionShown(tx: Transaction, post: Post, revision: number): Promise<boolean> {
  return change(tx, post, 'posted', (now) => ({ ...now, shown: Math.max(now.shown, revision) }));
}
