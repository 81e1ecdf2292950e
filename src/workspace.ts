/** What the parts of one team's workspace are built on: each takes what it needs. */
import type { Clock, RandomSource } from './clock.ts';
import type { ClockGuard } from './clock-watch.ts';
import type { TeamId, UserId } from './ids.ts';
import type { Log } from './log.ts';
import type { MarketplaceClient } from './marketplace/client.ts';
import type { RequestGate } from './marketplace/gate/gate.ts';
import type { Store } from './storage/store.ts';

export interface Workspace {
  readonly team: TeamId;
  readonly store: Store;
  readonly marketplace: MarketplaceClient;
  readonly gate: RequestGate;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** IANA name, for channels without their own. */
  readonly timezone: string;
  /** Admins from the configuration, besides those that Slack names. */
  readonly admins: ReadonlySet<UserId>;
  /** Missing: the wall clock is trusted. */
  readonly clockGuard?: ClockGuard;
}
