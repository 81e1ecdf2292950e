/** What every part of the feed is handed. */
import type { Clock, Instant, Random } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import type { CreditBook } from '../credits/book.ts';
import type { Directory } from '../directory/directory.ts';
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Marketplace } from '../marketplace/client.ts';
import type { Gate } from '../marketplace/gate.ts';
import type { Setups } from '../setups/setups.ts';
import type { Store, Transaction } from '../storage/store.ts';

/** What a channel follows besides filters. It stops and goes on with them, in the same transaction. */
export interface AlsoFollowed {
  /** @returns whoever made what has just stopped; what had stopped before is left as it is */
  stop(
    tx: Transaction,
    channel: ChannelId,
    stopped: { readonly at: Instant; readonly error: string },
  ): Promise<ReadonlySet<UserId>>;
  /** @returns how much goes on again */
  restart(tx: Transaction, channel: ChannelId, at: Instant): Promise<number>;
}

export interface FeedContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: CreditBook;
  readonly setups: Setups;
  readonly directory: Directory;
  readonly marketplace: Marketplace;
  readonly gate: Gate;
  /** IANA name; holds where a channel has none. */
  readonly timezone: string;
  readonly alsoFollowed?: AlsoFollowed;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Missing: the wall clock is believed. */
  readonly clockGuard?: ClockGuard;
}
