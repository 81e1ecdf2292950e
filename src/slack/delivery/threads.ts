/** Where in a channel a post belongs: in its parent message's thread, or on its own. */
import type { MessageTs } from '../../ids.ts';
import { type Post, postKey, posts } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';

export type ThreadPlacement =
  | { readonly kind: 'on-its-own' }
  | { readonly kind: 'in-thread'; readonly thread: MessageTs }
  /** The parent message is not sent yet: it goes first. */
  | { readonly kind: 'after'; readonly parent: Post }
  /** Whether the parent message arrived is unknown. */
  | { readonly kind: 'unknown' };

export async function readThreadPlacement(tx: ReadTransaction, post: Post): Promise<ThreadPlacement> {
  const parent = post.under && (await tx.get(posts, postKey(post.team, post.under)));
  // A thread can't span channels.
  if (!parent || parent.id === post.id || parent.channel !== post.channel) return { kind: 'on-its-own' };
  if (parent.state === 'posted' && parent.ts) return { kind: 'in-thread', thread: parent.ts };
  if (parent.state === 'waiting') return { kind: 'after', parent };
  if (parent.state === 'sending') return { kind: 'unknown' };
  return { kind: 'on-its-own' };
}
