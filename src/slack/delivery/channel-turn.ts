/** One channel's delivery turn and its result. */
import type { ChannelId, MessageTs } from '../../ids.ts';
import type { Post } from '../../outbox/posts.ts';
import type { DeliveryContext, DeliveryRuntimeState } from './context.ts';
import { asChannelId, findDirectMessageUser } from './decide-next.ts';

/**
 * `at`: when to check the channel again, in monotonic time · `token`: Slack rejects the token, so nothing can
 * be posted anywhere.
 */
export type NextChannelCheck =
  | { readonly kind: 'idle' }
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'token'; readonly error: string };

export interface PostDeliveryAttempt {
  readonly context: DeliveryContext;
  readonly memory: DeliveryRuntimeState;
  readonly post: Post;
  /** The thread to post into. */
  readonly thread?: MessageTs | undefined;
  /** Monotonic time. */
  readonly startedAt: number;
}

/** The channel ID to post to; for a user's ID, opens the direct message. @throws SlackCallError */
export async function openPostConversation({ context, post }: PostDeliveryAttempt): Promise<ChannelId> {
  const person = findDirectMessageUser(post.channel);
  return person ? context.port.openDirect(person) : asChannelId(post.channel);
}
