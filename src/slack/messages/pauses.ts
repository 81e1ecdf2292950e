/** What pausing and resuming a channel's feed did, for the channel. */
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import { date, mention } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';

export function pausedMessage(by: UserId, until: Instant | undefined): Message {
  const end = until === undefined ? 'until an admin types `/gig resume`' : `until ${date(until)}`;
  return {
    text: `${mention(by)} paused new projects in this channel ${end}. No credits are spent for it meanwhile.`,
  };
}

export function resumedMessage(by: UserId): Message {
  return { text: `${mention(by)} resumed this channel: new projects come again.` };
}

/** For the person alone. */
export const NOT_PAUSED: Message = {
  text: 'This channel was not paused. `/gig list` shows how its subscriptions stand.',
};
