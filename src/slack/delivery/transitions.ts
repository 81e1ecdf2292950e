/** Every change of a post's state that delivery makes. Each is one transaction; what happened meanwhile is kept. */
import type { Instant } from '../../clock.ts';
import type { ChannelId, MessageTs } from '../../ids.ts';
import { type Post, postKey, posts } from '../../outbox/posts.ts';
import type { Transaction } from '../../storage/store.ts';

/** Changes a post as it stands now, unless another change has taken it out of `from`. */
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

/** The post without the mark of an attempt. */
function ended(post: Post): Post {
  const copy = { ...post };
  delete copy.sendingSince;
  return copy;
}

/** Before the call: from here on the post may stand in Slack. `shown` is the revision that was handed over. */
export function markSending(tx: Transaction, post: Post, at: Instant): Promise<boolean> {
  return change(tx, post, 'waiting', (now) => ({
    ...now,
    state: 'sending',
    sendingSince: at,
    shown: post.revision,
  }));
}

/** After the call: it stands there. */
export function markPosted(
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

/** It is certain that nothing stands there: to be sent again. */
export function markWaiting(tx: Transaction, post: Post): Promise<boolean> {
  return change(tx, post, 'sending', (now) => ({
    ...ended(now),
    state: 'waiting',
  }));
}

/** Never to be sent. */
export function markFailed(tx: Transaction, post: Post, failure: string): Promise<boolean> {
  return change(tx, post, post.state, (now) => ({
    ...ended(now),
    state: 'failed',
    failure,
  }));
}

/** After an update, or when none will ever work: what stands there counts as this revision. */
export function markRevisionShown(tx: Transaction, post: Post, revision: number): Promise<boolean> {
  return change(tx, post, 'posted', (now) => ({ ...now, shown: Math.max(now.shown, revision) }));
}
