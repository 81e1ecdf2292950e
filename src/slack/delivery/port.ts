/** What delivery needs of Slack. Every call makes one request and no repeats; delivery decides what is tried again. */
import type { ChannelId, MessageTs, UserId } from '../../ids.ts';
import type { PostId } from '../../outbox/posts.ts';
import type { Message } from '../routes.ts';

/** A message that stands in a channel, with the post that its metadata names. */
export interface FoundMessage {
  readonly ts: MessageTs;
  readonly post?: string;
}

/** A channel, or one thread of it. */
export interface PostLocation {
  readonly channel: ChannelId;
  /** The message that began the thread. */
  readonly thread?: MessageTs;
}

/** From one message ts to another, both included; without an end, to the newest. */
export interface HistoryWindow {
  readonly oldest: string;
  readonly latest?: string;
}

/** Every method throws SlackCallError. */
export interface DeliveryPort {
  post(place: PostLocation, message: Message, post: PostId): Promise<MessageTs>;
  update(channel: ChannelId, ts: MessageTs, message: Message, post: PostId): Promise<void>;
  /** The conversation with a person; the same one each time. */
  openDirect(user: UserId): Promise<ChannelId>;
  /** Slack's `auth.test`: whether the token is accepted at all. */
  checkToken(): Promise<void>;
  /** One page of the messages there within a window, in any order: of a channel its top level alone. */
  history(
    place: PostLocation,
    window: HistoryWindow,
    cursor?: string,
  ): Promise<{ readonly messages: readonly FoundMessage[]; readonly next?: string }>;
}
