/** What the parts of delivery share. */
import type { Clock, Random } from '../../clock.ts';
import type { Feed } from '../../feed/feed.ts';
import type { TeamId, UserId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { Post, PostId } from '../../outbox/posts.ts';
import type { ReadTransaction, Store } from '../../storage/store.ts';
import type { SlackCallError } from '../errors.ts';
import type { Message } from '../routes.ts';
import type { DeliveryPort } from './port.ts';
import type { TriedPosts } from './post-tries.ts';
import type { Searches } from './searches.ts';
import type { TokenCheck } from './token-check.ts';
import type { UpdateHolds } from './update-holds.ts';

/**
 * posted, updated · failed: given up for good · refused, rate-limited, unanswered: a try came to nothing, and is made up
 * for later.
 */
export type DeliveryOutcome = 'posted' | 'updated' | 'failed' | 'refused' | 'rate-limited' | 'unanswered';

export interface DeliveryContext {
  readonly team: TeamId;
  readonly store: Store;
  /** Admins by configuration: they hear of what Slack refuses. */
  readonly admins: ReadonlySet<UserId>;
  readonly feed: Pick<Feed, 'bundleFlood' | 'stopChannel'>;
  /** What a post shows now; undefined when there is nothing to show any more. */
  readonly render: (tx: ReadTransaction, post: Post) => Promise<Message | undefined>;
  readonly port: DeliveryPort;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Told of what became of each try. Must not throw. */
  readonly onOutcome?: (outcome: DeliveryOutcome) => void;
}

/** What a failed call of Slack is counted as. */
export function outcomeOf({ end }: SlackCallError): DeliveryOutcome {
  return end === 'unknown' ? 'unanswered' : end;
}

/** What delivery remembers of this run alone; after a crash it learns it again. */
export interface DeliveryMemory {
  /** Posts whose blocks Slack refused: sent as text. */
  readonly plain: Set<PostId>;
  /** Posts that were refused with unknown codes. */
  readonly tried: TriedPosts;
  readonly searches: Searches;
  /** Posts whose thread Slack refused: sent on their own. */
  readonly unthreaded: Set<PostId>;
  /** Attempts in a row that came to nothing, by channel. */
  readonly failures: Map<string, number>;
  readonly updateHolds: UpdateHolds;
  readonly tokenCheck: TokenCheck;
}
