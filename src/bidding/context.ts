/** Dependencies of all bidding code. */
import type { Clock, RandomSource } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { SetupService } from '../setups/setup-service.ts';
import type { Store } from '../storage/store.ts';

export interface BiddingContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly setups: SetupService;
  readonly marketplace: MarketplaceClient;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** Missing: the wall clock is trusted. */
  readonly clockGuard?: ClockGuard;
}
