/** The results of pausing and resuming a channel's feed, for the channel. Pure. */
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import type { ProfileFeedKind } from '../../profiles/records.ts';
import type { Message } from '../core/routes.ts';
import { formatDate, formatMention } from '../kit/mrkdwn.ts';

/** @param follows the channel's profile feeds: a pause delays invitations but not outcomes */
export function channelPausedMessage(
  by: UserId,
  until: Instant | undefined,
  follows: ReadonlySet<ProfileFeedKind>,
): Message {
  const end = until === undefined ? 'until an admin resumes them' : `until ${formatDate(until)}`;
  const what = follows.has('invitations') ? 'new projects and invitations' : 'new projects';
  const more = follows.has('outcomes') ? ' Proposal updates keep coming.' : '';
  return {
    text:
      `${formatMention(by)} paused ${what} in this channel ${end}. The pause uses no credits. ` +
      `To resume, use \`/gig resume\`.${more}`,
  };
}

export function channelResumedMessage(by: UserId): Message {
  return { text: `${formatMention(by)} resumed this channel's feeds.` };
}

/** For the user only. */
export const CHANNEL_NOT_PAUSED_MESSAGE: Message = {
  text: "This channel isn't paused. See the status of its feeds with `/gig list`.",
};
