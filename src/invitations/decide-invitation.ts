/** Whether a channel is told of an invitation that a reading found. Pure. */
import { DAY, type Instant } from '../clock.ts';
import type { Invitation } from '../marketplace/schema.ts';
import type { ProfileFeed } from '../profiles/records.ts';

/** Older invitations change no more, and nobody is told of them. */
export const INVITATION_WATCH_MS = 60 * DAY;

/** So much later than they were made invitations may appear; the machine's clock and the server's may differ by as much. */
const LATE_MS = DAY;

type Following = Pick<ProfileFeed, 'startsAt' | 'firstReadAt'>;

export function getInvitedTime(invitation: Invitation): Instant | undefined {
  return invitation.invitedAt ?? invitation.createdAt;
}

/** Whether an invitation is older than anything that a feed could still have to tell. */
export function isTooOldForFeed(
  at: Instant | undefined,
  feed: Pick<Following, 'startsAt'>,
  now: Instant,
): boolean {
  return at !== undefined && (at < feed.startsAt - LATE_MS || at < now - INVITATION_WATCH_MS);
}

/**
 * What a feed does with an invitation that it does not know. `past`: it was there when the channel began to follow, which is
 * remembered; `behind`: so long before, that it need not be. What was invited shortly before the feed began and was not there
 * at its first reading is late, and told.
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
