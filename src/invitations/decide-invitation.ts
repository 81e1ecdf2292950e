/** Decides whether a channel gets an invitation, and what is stored of one. Pure. */
import { keepKnown } from '../base/keep-known.ts';
import { DAY, type Instant } from '../clock.ts';
import type { InvitationUid } from '../ids.ts';
import type { Invitation } from '../marketplace/schema.ts';
import type { ProfileFeed } from '../profiles/records.ts';
import type { InvitationRecord } from './records.ts';

/** Older invitations no longer change, and are no longer posted. */
export const INVITATION_WATCH_MS = 60 * DAY;

/** Invitations may appear this late, or the clocks of the machine and the server may differ by this much. */
const LATE_MS = DAY;

export function getInvitedTime(invitation: Invitation): Instant | undefined {
  return invitation.invitedAt ?? invitation.createdAt;
}

/** Whether an invitation is too old for any further post in a feed that began at `startsAt`. */
export function isTooOldForFeed(at: Instant | undefined, startsAt: Instant, now: Instant): boolean {
  return at !== undefined && (at < startsAt - LATE_MS || at < now - INVITATION_WATCH_MS);
}

/**
 * What a feed does with an unknown invitation. `past`: it existed before the channel followed, and is stored.
 * `behind`: it is so old that it isn't stored. An invitation from shortly before the start that was missing
 * in the first read is late: it is posted.
 */
export function decideInvitationState(
  at: Instant | undefined,
  { startsAt, firstReadAt }: Pick<ProfileFeed, 'startsAt' | 'firstReadAt'>,
  now: Instant,
): 'posted' | 'past' | 'behind' {
  if (isTooOldForFeed(at, startsAt, now)) return 'behind';
  if (at !== undefined && at >= startsAt) return 'posted';
  return firstReadAt === undefined ? 'past' : 'posted';
}

function place<T extends number>(of: { readonly id: T; readonly label?: string | undefined } | undefined) {
  return of && { id: of.id, label: of.label };
}

export function toInvitationRecord(uid: InvitationUid, read: Invitation, foundAt: number): InvitationRecord {
  const { title, letter, jobPostingUid, clientUid, contractor, updatedAt, status } = read;
  return {
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
  };
}

/** Missing values keep the old ones; a response older than the record changes nothing. */
export function mergeInvitation(before: InvitationRecord, read: Invitation): InvitationRecord {
  if ((read.updatedAt ?? Number.POSITIVE_INFINITY) < (before.updatedAt ?? 0)) return before;
  const now = toInvitationRecord(before.uid, read, before.foundAt);
  const isChanged = now.status !== undefined && now.status !== before.status;
  return {
    ...keepKnown(before, now),
    title: now.title || before.title,
    ...(!now.letter && { letter: before.letter, letterLength: before.letterLength }),
    statusChanges: before.statusChanges + (isChanged ? 1 : 0),
  };
}

/** In characters; the card's thread has the whole letter. */
export const LETTER_EXCERPT_LENGTH = 300;

/**
 * In characters: what one message fits with a line above and below. Source: slack/kit/limits.ts,
 * `allTextOfMessage`.
 */
export const MAX_LETTER_LENGTH = 11_500;

/** Whether the card shows only the beginning. Whitespace counts as one character, as it is shown. */
export function isLetterTruncated(letter: string): boolean {
  return letter.trim().replaceAll(/\s+/gu, ' ').length > LETTER_EXCERPT_LENGTH;
}
