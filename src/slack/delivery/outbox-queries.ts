/** Looking into the outbox by its indexes: nothing here grows with what is stored, only with what is to be done. */
import type { TeamId } from '../../ids.ts';
import { listChannelsInIndex } from '../../outbox/outbox.ts';
import { type Post, type PostId, posts } from '../../outbox/posts.ts';
import { type ReadTransaction, scanCollection } from '../../storage/store.ts';

export type PostDestination = Post['channel'];

/** Channels in which something waits to be sent, or was under way. */
export async function listChannelsToSend(
  tx: ReadTransaction,
  team: TeamId,
): Promise<ReadonlySet<PostDestination>> {
  const waiting = await listChannelsInIndex(tx, 'byState', [team, 'waiting']);
  return new Set([...(await listChannelsInIndex(tx, 'byState', [team, 'sending'])), ...waiting]);
}

/** Read at once: mostly the first is the one. */
const BATCH = 5;

/** What waits to be sent in a channel, in order; or what was under way. */
export async function* iteratePosts(
  tx: ReadTransaction,
  team: TeamId,
  state: 'waiting' | 'sending',
  channel: PostDestination,
): AsyncGenerator<Post> {
  const range = { index: 'byState', prefix: [team, state, channel] } as const;
  for await (const { value } of scanCollection(tx, posts, range, BATCH)) yield value;
}

/** Channels with messages that show something old. */
export function listChannelsToUpdate(tx: ReadTransaction, team: TeamId): Promise<PostDestination[]> {
  return listChannelsInIndex(tx, 'changed', [team]);
}

/** The newest of a channel's messages that show something old. @param isHeld those are passed over */
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
