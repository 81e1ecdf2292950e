/** Outbox queries on indexes: their cost depends on the open work, not on everything stored. */
import type { TeamId } from '../../ids.ts';
import { listChannelsInIndex } from '../../outbox/outbox.ts';
import { type Post, type PostId, posts } from '../../outbox/posts.ts';
import { type ReadTransaction, scanCollection } from '../../storage/store.ts';

export type PostDestination = Post['channel'];

/** Channels with posts that are waiting or were being sent. */
export async function listChannelsToSend(
  tx: ReadTransaction,
  team: TeamId,
): Promise<ReadonlySet<PostDestination>> {
  return new Set(await listChannelsInIndex(tx, 'byState', [team], ({ state }) => [state]));
}

export interface OutboxWork {
  readonly toSend: ReadonlySet<PostDestination>;
  /** Whether a message is outdated. */
  readonly hasUpdates: boolean;
}

export async function readOutboxWork(tx: ReadTransaction, team: TeamId): Promise<OutboxWork> {
  const toSend = await listChannelsToSend(tx, team);
  const outdated = await tx.list(posts, { index: 'changed', prefix: [team], limit: 1 });
  return { toSend, hasUpdates: outdated.length > 0 };
}

/** Small, because mostly the first post is the one. */
const BATCH = 5;

/** A channel's posts in the given state, in order. */
export async function* iteratePosts(
  tx: ReadTransaction,
  team: TeamId,
  state: 'waiting' | 'sending',
  channel: PostDestination,
): AsyncGenerator<Post> {
  const range = { index: 'byState', prefix: [team, state, channel] } as const;
  for await (const { value } of scanCollection(tx, posts, range, BATCH)) yield value;
}

/** Channels with outdated messages. */
export function listChannelsToUpdate(tx: ReadTransaction, team: TeamId): Promise<PostDestination[]> {
  return listChannelsInIndex(tx, 'changed', [team]);
}

/** The newest outdated message of a channel. @param isHeld these are skipped */
export async function findNewestOutdatedPost(
  tx: ReadTransaction,
  team: TeamId,
  channel: PostDestination,
  isHeld: (post: PostId) => boolean,
): Promise<Post | undefined> {
  const range = { index: 'changed', prefix: [team, channel], reverse: true } as const;
  for await (const { value } of scanCollection(tx, posts, range, BATCH)) if (!isHeld(value.id)) return value;
  return undefined;
}
