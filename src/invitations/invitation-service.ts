/** The contract of invitations: what commands, buttons and delivery ask of them. */
import type { Instant } from '../clock.ts';
import type { ChannelId, InvitationUid, UserId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { InvitationCard, InvitationRecord } from './records.ts';

/** All that a card shows. Names are strangers' words. */
export interface InvitationCardData {
  readonly card: InvitationCard;
  readonly invitation: InvitationRecord;
  readonly profileName?: string;
  readonly organizationName?: string;
}

export type InvitationClaimOutcome =
  | { readonly kind: 'claimed' | 'released' }
  /** Someone else holds it, or nobody does. */
  | { readonly kind: 'held'; readonly by: UserId; readonly at: Instant }
  | { readonly kind: 'free' }
  | { readonly kind: 'no-card' };

export interface InvitationService {
  /** Reads what is followed until stopped. Never throws. */
  run(signal: AbortSignal): Promise<void>;
  /** What is followed has changed: look again now. */
  wake(): void;
  claimInvitation(channel: ChannelId, uid: InvitationUid, by: UserId): Promise<InvitationClaimOutcome>;
  releaseInvitationClaim(
    channel: ChannelId,
    uid: InvitationUid,
    by: UserId,
    mayReleaseOthers: boolean,
  ): Promise<InvitationClaimOutcome>;
  /** For rendering a card, inside delivery's transaction. undefined: it was never told there, or was cleared out. */
  readInvitationCardData(
    tx: ReadTransaction,
    channel: ChannelId,
    uid: InvitationUid,
  ): Promise<InvitationCardData | undefined>;
}
