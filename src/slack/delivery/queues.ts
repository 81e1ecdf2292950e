/** Looking into the outbox by its indexes: nothing here grows with what is stored, only with what is to be done. */
import type { TeamId } from '../../ids.ts';
import { channelsIn } from '../../outbox/outbox.ts';
import { type Post, posts } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';

export type Channel = Post['channel'];

/** Channels in which something waits to be sent, or was under way. */
export async function channelsToSend(tx: ReadTransaction, team: TeamId): Promise<ReadonlySet<Channel>> {
  const waiting = await channelsIn(tx, 'byState', [team, 'waiting']);
  return new Set([...(await channelsIn(tx, 'byState', [team, 'sending'])), ...waiting]);
}

export async function firstPost(
  tx: ReadTransaction,
  team: TeamId,
  state: 'waiting' | 'sending',
  channel: Channel,
): Promise<Post | undefined> {
  const [entry] = await tx.list(posts, { index: 'byState', prefix: [team, state, channel], limit: 1 });
  return entry?.value;
}

/** Channels with messages that show something old. */
export function channelsToUpdate(tx: ReadTransaction, team: TeamId): Promise<Channel[]> {
  return channelsIn(tx, 'changed', [team]);
}

/** The newest of a channel's messages that show something old. */
export async function newestChanged(
  tx: ReadTransaction,
  team: TeamId,
  channel: Channel,
): Promise<Post | undefined> {
  const options = { index: 'changed', prefix: [team, channel] as const, limit: 1, reverse: true };
  const [entry] = await tx.list(posts, options);
  return entry?.value;
}
