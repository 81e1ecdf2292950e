/** What pausing and resuming a channel's feed did, for the channel. */
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import type { ProfileFeedKind } from '../../profiles/records.ts';
import { date, mention } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';

/** @param follows what the channel follows of profiles: invitations wait for the end of a pause, outcomes do not */
export function pausedMessage(
  by: UserId,
  until: Instant | undefined,
  follows: ReadonlySet<ProfileFeedKind>,
): Message {
  const end = until === undefined ? 'until an admin types `/gig resume`' : `until ${date(until)}`;
  const what = follows.has('invitations') ? 'new projects and invitations' : 'new projects';
  const more = follows.has('outcomes') ? ' What becomes of proposals is still told.' : '';
  return {
    text: `${mention(by)} paused ${what} in this channel ${end}. No credits are spent for it meanwhile.${more}`,
  };
}

export function resumedMessage(by: UserId): Message {
  return { text: `${mention(by)} resumed this channel: what it follows comes again.` };
}

/** For the person alone. */
export const NOT_PAUSED: Message = {
  text: 'This channel was not paused. `/gig list` shows how its subscriptions stand.',
};
