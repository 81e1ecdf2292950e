/** Dependencies of all bidding code. */
import { type Clock, type RandomSource, SECOND } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import { Attempts } from '../effects/attempt.ts';
import type { BidId, JobId, TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { SetupService } from '../setups/setup-service.ts';
import type { Store } from '../storage/store.ts';
import type { BidWithJob } from './bidding.ts';
import type { Job } from './records.ts';

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

/** For parts of bidding that send requests. */
export interface WithAttempts {
  readonly attempts: {
    readonly bids: Attempts<BidId, BidWithJob>;
    readonly approvals: Attempts<JobId, Job>;
  };
}

/** Create one per store. */
export function createBiddingAttempts({
  store,
  clock,
  log,
}: Pick<BiddingContext, 'store' | 'clock' | 'log'>): WithAttempts['attempts'] {
  function create<Name extends BidId | JobId, View>(kind: 'bid' | 'approval'): Attempts<Name, View> {
    return new Attempts({
      store,
      clock,
      retriesMs: [SECOND, 5 * SECOND, 15 * SECOND],
      onUnrecorded: (id, error) =>
        log.error("Couldn't store a marketplace response", { matter: `${kind} ${id}`, error }),
    });
  }
  return { bids: create('bid'), approvals: create('approval') };
}
