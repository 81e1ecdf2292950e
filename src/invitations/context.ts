/** Dependencies that all invitation modules share. */
import type { Clock } from '../clock.ts';
import type { NameDirectory } from '../directory/directory.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { Store } from '../storage/store.ts';

export interface InvitationsContext {
  readonly team: TeamId;
  readonly store: Store;
  /** IANA name, for channels without their own time zone. */
  readonly timezone: string;
  readonly marketplace: Pick<MarketplaceClient, 'fetchInvitations'>;
  /** Learns names from the invitations. */
  readonly directory?: Pick<NameDirectory, 'recordNames'>;
  readonly clock: Clock;
  readonly log: Log;
}
