/** What the parts of delivery share. */
import type { FeedService } from '../../feed/create-feed.ts';
import type { MessageTs } from '../../ids.ts';
import { type Post, type PostId, posts } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { Workspace } from '../../workspace.ts';
import type { SlackCallError } from '../core/errors.ts';
import type { Message } from '../core/routes.ts';
import type { UpdateDelays } from './delays.ts';
import type { PostSearchTracker, UnknownRefusalTracker } from './trackers.ts';
import type { DeliveryPort, TokenCheck } from './web-port.ts';

/**
 * posted, updated · failed: permanently given up · refused, rate-limited, unanswered: one attempt failed, and
 * a later one makes up for it.
 */
export type DeliveryAttemptOutcome =
  | 'posted'
  | 'updated'
  | 'failed'
  | 'refused'
  | 'rate-limited'
  | 'unanswered';

export interface DeliveryContext extends Pick<Workspace, 'store' | 'clock' | 'random' | 'log' | 'admins'> {
  readonly feed: Pick<FeedService, 'bundleCardsIntoSummary' | 'stopChannelFeeds'>;
  /** A post's current content; undefined when there is nothing left to show. */
  readonly render: (tx: ReadTransaction, post: Post) => Promise<Message | undefined>;
  readonly port: DeliveryPort;
  /** Called with the outcome of each attempt. Must not throw. */
  readonly onOutcome?: (outcome: DeliveryAttemptOutcome) => void;
}

export function toDeliveryAttemptOutcome({ failureKind }: SlackCallError): DeliveryAttemptOutcome {
  return failureKind === 'unknown' ? 'unanswered' : failureKind;
}

/** What delivery remembers in this run only. After a crash, it learns it again. */
export interface DeliveryRuntimeState {
  /** Posts whose blocks Slack refused: sent as text. */
  readonly textOnlyPosts: Set<PostId>;
  /** Posts refused with unknown codes. */
  readonly unknownRefusals: UnknownRefusalTracker;
  readonly searches: PostSearchTracker;
  /** Posts whose thread Slack refused: sent to the channel instead. */
  readonly unthreadedPosts: Set<PostId>;
  /** Consecutive failed attempts, by channel. */
  readonly failures: Map<string, number>;
  readonly updateDelays: UpdateDelays;
  readonly checkToken: TokenCheck;
}

/**
 * `at`: when to check the channel again, in monotonic time · `token`: Slack rejects the token, so nothing can
 * be posted anywhere.
 */
export type NextChannelCheck =
  | { readonly kind: 'idle' }
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'token'; readonly error: string };

export function checkAt(at: number): NextChannelCheck {
  return { kind: 'at', at };
}

export interface PostDeliveryAttempt {
  readonly context: DeliveryContext;
  readonly memory: DeliveryRuntimeState;
  readonly post: Post;
  /** The thread to post into. */
  readonly thread?: MessageTs | undefined;
  /** Monotonic time. */
  readonly startedAt: number;
}

/** Where in a channel a post belongs. */
type ThreadPlacement =
  | { readonly kind: 'on-its-own' }
  | { readonly kind: 'in-thread'; readonly thread: MessageTs }
  /** The parent message is not sent yet: it goes first. */
  | { readonly kind: 'after'; readonly parent: Post }
  /** Whether the parent message arrived is unknown. */
  | { readonly kind: 'unknown' };

export async function readThreadPlacement(tx: ReadTransaction, post: Post): Promise<ThreadPlacement> {
  const parent = post.under && (await tx.get(posts, [post.under]));
  // A thread can't span channels.
  if (!parent || parent.id === post.id || parent.channel !== post.channel) return { kind: 'on-its-own' };
  if (parent.state === 'posted' && parent.ts) return { kind: 'in-thread', thread: parent.ts };
  if (parent.state === 'waiting') return { kind: 'after', parent };
  if (parent.state === 'sending') return { kind: 'unknown' };
  return { kind: 'on-its-own' };
}
