/** Outbox queries on indexes: their cost depends on the open work, not on everything stored. */
import type { TeamId } from '../../ids.ts';
import { listPostsOfEachGroup } from '../../outbox/outbox.ts';
import { findDeliveryWork, type Post, type PostId, posts } from '../../outbox/posts.ts';
import { type ReadTransaction, scanCollection } from '../../storage/store.ts';

export type PostDestination = Post['channel'];

export interface OutboxWork {
  /** Channels with posts that are waiting or were being sent. */
  readonly toSend: ReadonlySet<PostDestination>;
  /** Channels with outdated messages. */
  readonly toUpdate: ReadonlySet<PostDestination>;
}

export async function readOutboxWork(tx: ReadTransaction, team: TeamId): Promise<OutboxWork> {
  const toSend = new Set<PostDestination>();
  const toUpdate = new Set<PostDestination>();
  const groupOf = (post: Post) => [post.channel, findDeliveryWork(post) ?? ''];
  for (const post of await listPostsOfEachGroup(tx, 'byWork', [team], groupOf))
    (findDeliveryWork(post) === 'changed' ? toUpdate : toSend).add(post.channel);
  return { toSend, toUpdate };
}

/** Small, because mostly the first post is the one. */
const BATCH = 5;

/** A channel's posts to send, in order; from `sending`: after those whose arrival is unknown. */
export async function* iteratePostsToSend(
  tx: ReadTransaction,
  team: TeamId,
  channel: PostDestination,
  from: 'sending' | 'waiting',
): AsyncGenerator<Post> {
  const range = { index: 'byWork', prefix: [team, channel], from: [from] } as const;
  for await (const { value } of scanCollection(tx, posts, range, BATCH)) yield value;
}

/** The newest outdated message of a channel. @param isHeld these are skipped */
export async function findNewestOutdatedPost(
  tx: ReadTransaction,
  team: TeamId,
  channel: PostDestination,
  isHeld: (post: PostId) => boolean,
): Promise<Post | undefined> {
  const range = { index: 'byWork', prefix: [team, channel, 'changed'], reverse: true } as const;
  for await (const { value } of scanCollection(tx, posts, range, BATCH)) if (!isHeld(value.id)) return value;
  return undefined;
}
