/** The data that a channel's invitation card shows. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { type DirectoryEntryKind, directoryEntries } from '../directory/directory.ts';
import type { ChannelId, InvitationUid, TeamId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { InvitationCardData } from './invitation-service.ts';
import { invitationCardKey, invitationCards, invitationKey, invitationRecords } from './records.ts';

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
  const card = await tx.get(invitationCards, invitationCardKey(team, channel, uid));
  const invitation = await tx.get(invitationRecords, invitationKey(team, uid));
  if (card?.state !== 'posted' || !invitation) return undefined;
  return omitUndefined({
    card,
    invitation,
    profileName: await nameOf(tx, team, 'profile', invitation.profile),
    organizationName: await nameOf(tx, team, 'organization', invitation.organization),
  });
}
