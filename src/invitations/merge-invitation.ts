/** Creates an invitation's record, and merges later reads into it. Pure. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { InvitationUid, TeamId } from '../ids.ts';
import type { Invitation } from '../marketplace/schema.ts';
import { getInvitedTime } from './decide-invitation.ts';
import { MAX_LETTER_LENGTH } from './letters.ts';
import type { InvitationRecord } from './records.ts';

function place<T extends number>(of: { readonly id: T; readonly label?: string | undefined } | undefined) {
  return of && omitUndefined({ id: of.id, label: of.label });
}

export function toInvitationRecord(
  team: TeamId,
  uid: InvitationUid,
  read: Invitation,
  foundAt: number,
): InvitationRecord {
  const { title, letter, jobPostingUid, clientUid, contractor, updatedAt, status } = read;
  return omitUndefined({
    team,
    uid,
    title,
    letter: letter.slice(0, MAX_LETTER_LENGTH),
    letterLength: letter.length,
    jobPostingUid,
    clientUid,
    profile: place(read.profile),
    organization: place(read.organization),
    contractor,
    invitedAt: getInvitedTime(read),
    updatedAt,
    status,
    foundAt,
    statusChanges: 0,
  });
}

/** Missing values keep the old ones; a response older than the record changes nothing. */
export function mergeInvitation(before: InvitationRecord, read: Invitation): InvitationRecord {
  if ((read.updatedAt ?? Number.POSITIVE_INFINITY) < (before.updatedAt ?? 0)) return before;
  const now = toInvitationRecord(before.team, before.uid, read, before.foundAt);
  const isChanged = now.status !== undefined && now.status !== before.status;
  return {
    ...before,
    ...now,
    title: now.title || before.title,
    ...(now.letter ? {} : { letter: before.letter, letterLength: before.letterLength }),
    statusChanges: before.statusChanges + (isChanged ? 1 : 0),
  };
}
