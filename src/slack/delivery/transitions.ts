/**
 * Every change that delivery makes to a post's state. Each is one transaction and keeps concurrent changes.
 */
import type { Instant } from '../../clock.ts';
import type { ChannelId, MessageTs } from '../../ids.ts';
import { type Post, postKey, posts } from '../../outbox/posts.ts';
import type { Transaction } from '../../storage/store.ts';

/** Changes the stored post, unless another change has moved it out of `from`. */
async function change(
  tx: Transaction,
  post: Post,
  from: Post['state'],
  next: (now: Post) => Post,
): Promise<boolean> {
  const key = postKey(post.team, post.id);
  const now = await tx.get(posts, key);
  if (now?.state !== from) return false;
  await tx.put(posts, key, next(now));
  return true;
}

/** The post without its attempt time. */
function ended(post: Post): Post {
  const copy = { ...post };
  delete copy.sendingSince;
  return copy;
}

/**
 * Call before sending: from here on the post may be in Slack. `shown` is the revision being sent.
 * @param post waits, as this transaction read it
 */
export function markPostSending(tx: Transaction, post: Post, at: Instant): Promise<void> {
  const sending: Post = { ...post, state: 'sending', sendingSince: at, shown: post.revision };
  return tx.put(posts, postKey(post.team, post.id), sending);
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
    ...(place.channel === now.channel ? {} : { postedIn: place.channel }),
  }));
}

/** The post is certainly not in Slack: send it again. */
export function markPostWaiting(tx: Transaction, post: Post): Promise<boolean> {
  return change(tx, post, 'sending', (now) => ({
    ...ended(now),
    state: 'waiting',
  }));
}

/** The post is never sent. */
export function markPostFailed(tx: Transaction, post: Post, failure: string): Promise<boolean> {
  return change(tx, post, post.state, (now) => ({
    ...ended(now),
    state: 'failed',
    failure,
  }));
}

/** After an update, or when no update will ever work: the message counts as this revision. */
export function markPostRevisionShown(tx: Transaction, post: Post, revision: number): Promise<boolean> {
  return change(tx, post, 'posted', (now) => ({ ...now, shown: Math.max(now.shown, revision) }));
}
