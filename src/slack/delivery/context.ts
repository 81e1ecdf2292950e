/** What the parts of delivery share. */
import type { Clock, RandomSource } from '../../clock.ts';
import type { FeedService } from '../../feed/feed.ts';
import type { TeamId, UserId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { Post, PostId } from '../../outbox/posts.ts';
import type { ReadTransaction, Store } from '../../storage/store.ts';
import type { SlackCallError } from '../core/errors.ts';
import type { Message } from '../core/routes.ts';
import type { PostSearchTracker } from './post-searches.ts';
import type { TokenCheck } from './token-check.ts';
import type { UnknownRefusalTracker } from './unknown-refusals.ts';
import type { UpdateDelays } from './update-delays.ts';
import type { DeliveryPort } from './web-port.ts';

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

export interface DeliveryContext {
  readonly team: TeamId;
  readonly store: Store;
  /** Configured admins: they are notified about Slack's refusals. */
  readonly admins: ReadonlySet<UserId>;
  readonly feed: Pick<FeedService, 'bundleCardsIntoSummary' | 'stopChannelFeeds'>;
  /** A post's current content; undefined when there is nothing left to show. */
  readonly render: (tx: ReadTransaction, post: Post) => Promise<Message | undefined>;
  readonly port: DeliveryPort;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
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
  readonly tokenCheck: TokenCheck;
}
