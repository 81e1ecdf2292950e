/** Dependencies of all access code. */
import type { Clock, RandomSource } from '../clock.ts';
import type { TeamId, UserId } from '../ids.ts';
import type { Store } from '../storage/store.ts';

export interface AccessContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Admins from the configuration. */
  readonly admins: ReadonlySet<UserId>;
}
