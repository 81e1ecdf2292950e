/** Reads posts, by their ID or by their message. */
import type { ChannelId, MessageTs, TeamId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { type Post, type PostId, postKey, posts } from './posts.ts';

export async function readPost(tx: ReadTransaction, team: TeamId, id: PostId): Promise<Post | undefined> {
  return tx.get(posts, postKey(team, id));
}

export async function findPostByMessage(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  ts: MessageTs,
): Promise<Post | undefined> {
  const [entry] = await tx.list(posts, { index: 'byMessage', prefix: [team, channel, ts], limit: 1 });
  return entry?.value;
}

/** The posts that a summary lists, newest first. */
export async function listNewestBundledPosts(
  tx: ReadTransaction,
  team: TeamId,
  summary: PostId,
  limit: number,
): Promise<Post[]> {
  const range = { index: 'byBundle', prefix: [team, summary, 'bundled'] as const, limit, reverse: true };
  return (await tx.list(posts, range)).map(({ value }) => value);
}
