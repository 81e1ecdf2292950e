/** Decides whether a channel gets an invitation. Pure. */
import { DAY, type Instant } from '../clock.ts';
import type { Invitation } from '../marketplace/schema.ts';
import type { ProfileFeed } from '../profiles/records.ts';

/** Older invitations no longer change, and are no longer posted. */
export const INVITATION_WATCH_MS = 60 * DAY;

/** Invitations may appear this late, or the clocks of the machine and the server may differ by this much. */
const LATE_MS = DAY;

type Following = Pick<ProfileFeed, 'startsAt' | 'firstReadAt'>;

export function getInvitedTime(invitation: Invitation): Instant | undefined {
  return invitation.invitedAt ?? invitation.createdAt;
}

/** Whether an invitation is too old for any further post in a feed. */
export function isTooOldForFeed(
  at: Instant | undefined,
  feed: Pick<Following, 'startsAt'>,
  now: Instant,
): boolean {
  return at !== undefined && (at < feed.startsAt - LATE_MS || at < now - INVITATION_WATCH_MS);
}

/**
 * What a feed does with an unknown invitation. `past`: it existed before the channel followed, and is stored.
 * `behind`: it is so old that it isn't stored. An invitation from shortly before the start that was missing
 * in the first read is late: it is posted.
 */
export function decideInvitationState(
  at: Instant | undefined,
  feed: Following,
  now: Instant,
): 'posted' | 'past' | 'behind' {
  if (isTooOldForFeed(at, feed, now)) return 'behind';
  if (at !== undefined && at >= feed.startsAt) return 'posted';
  return feed.firstReadAt === undefined ? 'past' : 'posted';
}
