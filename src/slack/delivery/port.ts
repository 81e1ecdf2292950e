/**
 * The Slack calls that delivery needs. Each makes one request without retries: delivery decides what to
 * retry.
 */
import type { ChannelId, MessageTs, UserId } from '../../ids.ts';
import type { PostId } from '../../outbox/posts.ts';
import type { Message } from '../core/routes.ts';

/** A message found in a channel, with the post named in its metadata. */
export interface FoundMessage {
  readonly ts: MessageTs;
  readonly post?: string;
}

/** A channel, or one thread in it. */
export interface PostLocation {
  readonly channel: ChannelId;
  /** The thread's parent message. */
  readonly thread?: MessageTs;
}

/** From one message ts to another, both included; without `latest`, up to the newest. */
export interface HistoryWindow {
  readonly oldest: string;
  readonly latest?: string;
}

/** Every method throws SlackCallError. */
export interface DeliveryPort {
  post(place: PostLocation, message: Message, post: PostId): Promise<MessageTs>;
  update(channel: ChannelId, ts: MessageTs, message: Message, post: PostId): Promise<void>;
  /** The direct message with a user; always returns the same one. */
  openDirect(user: UserId): Promise<ChannelId>;
  /** Slack's `auth.test`: whether Slack accepts the token at all. */
  checkToken(): Promise<void>;
  /** One page of messages within a window, in any order. For a channel, only its top level. */
  history(
    place: PostLocation,
    window: HistoryWindow,
    cursor?: string,
  ): Promise<{ readonly messages: readonly FoundMessage[]; readonly next?: string }>;
}
