/** Gigdesk can't post in a channel where someone wants it to. */
import type { Message } from '../routes.ts';
import { describeSlackTrouble } from './slack-trouble.ts';

/** @param error Slack's code, as `reach` tells it. */
export function unreachableMessage(error: string): Message {
  if (error === 'not_in_channel' || error === 'channel_not_found')
    return {
      text: "I'm not in this conversation yet, so I could not post here. Type `/invite @gigdesk`, then the command again.",
    };
  if (error === 'direct_message')
    return {
      text: 'Subscriptions and digests live in channels, not in direct messages. Go to a channel, type `/invite @gigdesk` there, then the command again.',
    };
  if (error === 'missing_scope')
    return {
      text: "Slack doesn't let me look into this conversation. In a group message that's normal: use a channel instead. If you see this in a channel, ask an admin to run `npm run doctor`: it names the missing permission.",
    };
  return {
    text: `I can't post in this conversation: ${describeSlackTrouble(error)}. Nothing was changed; try it in another channel.`,
  };
}
