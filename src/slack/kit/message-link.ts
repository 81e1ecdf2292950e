/** Links to messages of stored posts, made without asking Slack. */
import { findMessageOfPost } from '../../outbox/outbox.ts';
import type { PostId } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';

/** The addresses of messages, by the post that they show. */
export type MessageLinks = ReadonlyMap<PostId, string>;

/**
 * Slack's links consist of the workspace's address, the channel and the message.
 * @param workspaceUrl `https://acme.slack.com/`; missing: no links
 * @returns undefined also if the post isn't in Slack
 */
export async function readPostLink(tx: ReadTransaction, post: PostId, workspaceUrl: string | undefined) {
  if (workspaceUrl === undefined) return undefined;
  const message = await findMessageOfPost(tx, post);
  return message && new URL(`archives/${message.channel}/p${message.ts.replace('.', '')}`, workspaceUrl).href;
}

/** The same for several posts, without those that aren't in Slack. */
export async function readPostLinks(
  tx: ReadTransaction,
  posts: readonly PostId[],
  workspaceUrl: string | undefined,
): Promise<MessageLinks> {
  const links = new Map<PostId, string>();
  for (const post of posts) {
    const link = await readPostLink(tx, post, workspaceUrl);
    if (link !== undefined) links.set(post, link);
  }
  return links;
}
