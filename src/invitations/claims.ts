/** Claims and releases invitations. One transaction decides, so that only one of two people wins. */
import type { Instant } from '../clock.ts';
import type { ChannelId, InvitationUid, UserId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import type { InvitationsContext } from './context.ts';
import type { InvitationClaimOutcome } from './invitation-service.ts';
import { type InvitationCard, invitationCardKey, invitationCards, invitationPostId } from './records.ts';

type Context = Pick<InvitationsContext, 'team' | 'store' | 'clock'>;

function changeCard(
  { team, store, clock }: Context,
  channel: ChannelId,
  uid: InvitationUid,
  change: (
    card: InvitationCard,
    at: Instant,
  ) => { readonly card?: InvitationCard; readonly outcome: InvitationClaimOutcome },
): Promise<InvitationClaimOutcome> {
  return store.transact(async (tx) => {
    const key = invitationCardKey(team, channel, uid);
    const before = await tx.get(invitationCards, key);
    if (before?.state !== 'posted') return { kind: 'no-card' };
    const { card, outcome } = change(before, clock.now());
    if (card) {
      await tx.put(invitationCards, key, card);
      await markPostChanged(tx, team, invitationPostId(channel, uid));
    }
    return outcome;
  });
}

/** Claiming an invitation again succeeds. @throws StorageError */
export function claimInvitation(
  context: Context,
  channel: ChannelId,
  uid: InvitationUid,
  by: UserId,
): Promise<InvitationClaimOutcome> {
  return changeCard(context, channel, uid, (card, at) => {
    const { claim } = card;
    if (!claim) return { card: { ...card, claim: { by, at } }, outcome: { kind: 'claimed' } };
    return { outcome: claim.by === by ? { kind: 'claimed' } : { kind: 'held', ...claim } };
  });
}

/** @throws StorageError */
export function releaseInvitationClaim(
  context: Context,
  channel: ChannelId,
  uid: InvitationUid,
  by: UserId,
  mayReleaseOthers: boolean,
): Promise<InvitationClaimOutcome> {
  return changeCard(context, channel, uid, (card) => {
    const { claim, ...free } = card;
    if (!claim) return { outcome: { kind: 'free' } };
    if (claim.by !== by && !mayReleaseOthers) return { outcome: { kind: 'held', ...claim } };
    return { card: free, outcome: { kind: 'released' } };
  });
}
