/** One channel's turn, and how it ends. */
import type { ChannelId, MessageTs } from '../../ids.ts';
import type { Post } from '../../outbox/posts.ts';
import type { DeliveryContext, DeliveryMemory } from './context.ts';
import { asChannelId, asUserId } from './decide-next.ts';

/** `at`: when the channel is to be looked at again, by the clock's steady time · `token`: Slack refuses it, so nothing can be posted anywhere. */
export type TurnResult =
  | { readonly kind: 'idle' }
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'token'; readonly error: string };

export interface ChannelTurn {
  readonly context: DeliveryContext;
  readonly memory: DeliveryMemory;
  readonly post: Post;
  /** The thread that it goes into. */
  readonly thread?: MessageTs | undefined;
  /** By the clock's steady time. */
  readonly startedAt: number;
}

/** The real conversation of a post. @throws SlackCallError */
export async function openPostConversation({ context, post }: ChannelTurn): Promise<ChannelId> {
  const person = asUserId(post.channel);
  return person ? context.port.openDirect(person) : asChannelId(post.channel);
}
