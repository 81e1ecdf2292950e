/** Reads invitations and their cards. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { type DirectoryEntryKind, directoryEntries } from '../directory/directory.ts';
import type { ChannelId, InvitationUid, TeamId, UserId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { InvitationCardData } from './invitation-service.ts';
import {
  type InvitationCard,
  type InvitationRecord,
  invitationCardKey,
  invitationCards,
  invitationKey,
  invitationRecords,
} from './records.ts';

async function nameOf(
  tx: ReadTransaction,
  team: TeamId,
  kind: DirectoryEntryKind,
  place: { readonly id: number; readonly label?: string | undefined } | undefined,
): Promise<string | undefined> {
  if (!place || place.label) return place?.label;
  return (await tx.get(directoryEntries, [team, kind, place.id]))?.name;
}

/** undefined: the card was never posted there, or was deleted. */
export async function readInvitationCardData(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  uid: InvitationUid,
): Promise<InvitationCardData | undefined> {
  const card = await readInvitationCard(tx, team, channel, uid);
  const invitation = await readInvitation(tx, team, uid);
  if (card?.state !== 'posted' || !invitation) return undefined;
  return omitUndefined({
    card,
    invitation,
    profileName: await nameOf(tx, team, 'profile', invitation.profile),
    organizationName: await nameOf(tx, team, 'organization', invitation.organization),
  });
}

export async function readInvitationCard(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  uid: InvitationUid,
): Promise<InvitationCard | undefined> {
  return tx.get(invitationCards, invitationCardKey(team, channel, uid));
}

export async function readInvitation(
  tx: ReadTransaction,
  team: TeamId,
  uid: InvitationUid,
): Promise<InvitationRecord | undefined> {
  return tx.get(invitationRecords, invitationKey(team, uid));
}

/** Newest claim first. */
export async function listInvitationCardsClaimedBy(
  tx: ReadTransaction,
  team: TeamId,
  user: UserId,
  limit: number,
): Promise<InvitationCard[]> {
  const range = { index: 'byClaimer', prefix: [team, user] as const, limit, reverse: true };
  return (await tx.list(invitationCards, range)).map(({ value }) => value);
}
