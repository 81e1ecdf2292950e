/** Dependencies that all feed modules share. */
import type { Clock, Instant, RandomSource } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import type { CreditsService } from '../credits/credits-service.ts';
import type { NameDirectory } from '../directory/directory.ts';
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { RequestGate } from '../marketplace/gate/gate.ts';
import type { SetupService } from '../setups/setup-service.ts';
import type { Store, Transaction } from '../storage/store.ts';

/** A channel's other feeds. They stop and restart together with its filters, in the same transaction. */
export interface ProfileFeedControl {
  /** @returns the creators of the feeds that this call stopped; feeds stopped before stay as they are */
  stopInChannel(
    tx: Transaction,
    channel: ChannelId,
    stopped: { readonly at: Instant; readonly error: string },
  ): Promise<ReadonlySet<UserId>>;
  /** @returns how many feeds restarted */
  restartInChannel(tx: Transaction, channel: ChannelId, at: Instant): Promise<number>;
}

export interface FeedContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: CreditsService;
  readonly setups: SetupService;
  readonly directory: NameDirectory;
  readonly marketplace: MarketplaceClient;
  readonly gate: RequestGate;
  /** IANA name, for channels without their own time zone. */
  readonly timezone: string;
  readonly profileFeedControl?: ProfileFeedControl;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** Missing: the wall clock is trusted. */
  readonly clockGuard?: ClockGuard;
}
