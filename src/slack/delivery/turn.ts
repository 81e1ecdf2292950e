/** One channel's turn, and how it ends. */
import type { ChannelId, MessageTs } from '../../ids.ts';
import type { Post } from '../../outbox/posts.ts';
import { asChannel, asPerson } from './choose-next.ts';
import type { DeliveryContext, DeliveryMemory } from './context.ts';

/** `at`: when the channel is to be looked at again, by the clock's steady time · `token`: Slack refuses it, so nothing can be posted anywhere. */
export type Step =
  | { readonly kind: 'idle' }
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'token'; readonly error: string };

export interface Turn {
  readonly context: DeliveryContext;
  readonly memory: DeliveryMemory;
  readonly post: Post;
  /** The thread that it goes into. */
  readonly thread?: MessageTs | undefined;
  /** By the clock's steady time. */
  readonly startedAt: number;
}

/** The real conversation of a post. @throws SlackCallError */
export async function conversationOf({ context, post }: Turn): Promise<ChannelId> {
  const person = asPerson(post.channel);
  return person ? context.port.openDirect(person) : asChannel(post.channel);
}
