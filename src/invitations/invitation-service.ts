/** The invitation service, as commands, buttons and delivery use it. */

import type { Clock } from '../clock.ts';
import type { NameDirectory } from '../directory/directory.ts';
import type { ChannelId, InvitationUid, TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { ClaimOutcome } from '../sources/claims.ts';
import type { ReadTransaction, Store } from '../storage/store.ts';
import type { InvitationCard, InvitationRecord } from './records.ts';

/** All data that a card shows. Names are untrusted text. */
export interface InvitationCardData {
  readonly card: InvitationCard;
  readonly invitation: InvitationRecord;
  readonly profileName?: string;
  readonly organizationName?: string;
}

export interface InvitationService {
  /** Reads the followed sources until stopped. Never throws. */
  run(signal: AbortSignal): Promise<void>;
  /** Checks for due reads at once, after the followed sources changed. */
  wake(): void;
  claimInvitation(channel: ChannelId, uid: InvitationUid, by: UserId): Promise<ClaimOutcome>;
  releaseInvitationClaim(
    channel: ChannelId,
    uid: InvitationUid,
    by: UserId,
    mayReleaseOthers: boolean,
  ): Promise<ClaimOutcome>;
  /**
   * For rendering a card, inside delivery's transaction. undefined: it was never posted there, or was
   * deleted.
   */
  readInvitationCardData(
    tx: ReadTransaction,
    channel: ChannelId,
    uid: InvitationUid,
  ): Promise<InvitationCardData | undefined>;
}

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
