/** Replies to a person: through the `response_url` while it works, then through the Web API. */
import type { ChannelId, UserId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { checkMessage } from '../kit/check-limits.ts';
import { SlackCallError } from './errors.ts';
import type { ResponseUrl } from './response-url.ts';
import type { Message, SlackCalls } from './routes.ts';

export interface ReplyTarget {
  readonly user: UserId;
  /** Where the call was made; undefined for a press in a view. */
  readonly channel: ChannelId | undefined;
  readonly responseUrl: ResponseUrl | undefined;
}

export interface ReplyDependencies {
  readonly slack: Pick<SlackCalls, 'post' | 'ephemeral'>;
  readonly log: Log;
}

/** A direct message: Slack accepts a user ID as the channel. */
function directTo(user: UserId): ChannelId {
  return user as string as ChannelId;
}

async function answerByCall(
  place: ReplyTarget,
  message: Message,
  to: 'ephemeral' | 'channel',
  { slack, log }: ReplyDependencies,
): Promise<void> {
  if (!place.channel) await slack.post(directTo(place.user), message);
  else if (to === 'channel') await slack.post(place.channel, message);
  else {
    try {
      await slack.ephemeral(place.channel, place.user, message);
    } catch (thrown) {
      // If the bot isn't in the channel, a direct message still reaches the person.
      if (!(thrown instanceof SlackCallError && thrown.failureKind === 'refused')) throw thrown;
      log.info('answered in a direct message instead', { error: thrown.code, user: place.user });
      await slack.post(directTo(place.user), message);
    }
  }
}

/**
 * @throws LimitError for a message that Slack would refuse; SlackCallError when no way to the person works.
 */
export async function sendReply(
  place: ReplyTarget,
  message: Message,
  to: 'ephemeral' | 'channel',
  tools: ReplyDependencies,
): Promise<void> {
  checkMessage(message);
  if (!place.responseUrl?.isOpen) return answerByCall(place, message, to, tools);
  try {
    await place.responseUrl.send(message, to);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    tools.log.warn('could not answer through a response_url', { error: thrown.code, user: place.user });
    // One person may see a reply twice rather than never; a whole channel may not.
    if (thrown.failureKind === 'unknown' && to === 'channel') return;
    await answerByCall(place, message, to, tools);
  }
}

/** Replaces the pressed ephemeral message; if that's impossible, sends a new one. */
export async function replacePressedMessage(
  place: ReplyTarget,
  message: Message,
  tools: ReplyDependencies,
): Promise<void> {
  checkMessage(message);
  if (!place.responseUrl?.isOpen) return sendReply(place, message, 'ephemeral', tools);
  try {
    await place.responseUrl.send(message, 'replace');
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    if (thrown.failureKind === 'refused') await sendReply(place, message, 'ephemeral', tools);
    else tools.log.warn('replacing a message has an unknown outcome', { error: thrown.code });
  }
}
