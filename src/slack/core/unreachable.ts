/** Gigdesk can't post in the channel where a user wants it to. Pure. */
import type { Message } from './routes.ts';
import { describeSlackError } from './slack-error-text.ts';

/** @param error Slack's error code for the channel. */
export function channelUnreachableMessage(error: string): Message {
  if (error === 'not_in_channel' || error === 'channel_not_found')
    return {
      text:
        "Gigdesk isn't in this conversation yet, so it can't post here. " +
        'Run `/invite @gigdesk`, then the command again.',
    };
  if (error === 'direct_message')
    return {
      text:
        'Subscriptions and digests only work in channels, not in direct messages. ' +
        'Go to a channel, run `/invite @gigdesk` there, then the command again.',
    };
  if (error === 'missing_scope')
    return {
      text:
        "Slack doesn't let Gigdesk read this conversation. " +
        "In a group message that's normal: use a channel instead. " +
        'In a channel, ask the person who runs Gigdesk to run `npm run doctor`, ' +
        'which names the missing permission.',
    };
  return {
    text:
      `Couldn't post in this conversation: ${describeSlackError(error)}. Nothing was changed. ` +
      'Try another channel.',
  };
}
