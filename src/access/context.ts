/** What every part of access is handed. */
import type { Clock, Random } from '../clock.ts';
import type { TeamId, UserId } from '../ids.ts';
import type { Store } from '../storage/store.ts';

export interface AccessContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Admins by configuration. */
  readonly admins: ReadonlySet<UserId>;
}
