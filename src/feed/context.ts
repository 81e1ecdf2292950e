/** What every part of the feed is handed. */
import type { Clock, Random } from '../clock.ts';
import type { CreditBook } from '../credits/book.ts';
import type { Directory } from '../directory/directory.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Marketplace } from '../marketplace/client.ts';
import type { Gate } from '../marketplace/gate.ts';
import type { Setups } from '../setups/setups.ts';
import type { Store } from '../storage/store.ts';

export interface FeedContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: CreditBook;
  readonly setups: Setups;
  readonly directory: Directory;
  readonly marketplace: Marketplace;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
