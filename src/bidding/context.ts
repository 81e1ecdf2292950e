/** What every part of bidding is handed. */
import type { Clock, Random } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Marketplace } from '../marketplace/client.ts';
import type { Setups } from '../setups/setups.ts';
import type { Store } from '../storage/store.ts';

export interface BiddingContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly setups: Setups;
  readonly marketplace: Marketplace;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Missing: the wall clock is believed. */
  readonly clockGuard?: ClockGuard;
}
