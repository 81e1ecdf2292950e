/** Gigdesk can't post in a channel where someone wants it to. */
import type { Message } from '../routes.ts';
import { describeSlackTrouble } from './slack-trouble.ts';

/** @param error Slack's code, as `reach` tells it. */
export function unreachableMessage(error: string): Message {
  if (error === 'not_in_channel' || error === 'channel_not_found')
    return {
      text: "I'm not in this conversation yet, so I could not post here. Type `/invite @gigdesk`, then the command again.",
    };
  return {
    text: `I can't post in this conversation: ${describeSlackTrouble(error)}. Nothing was changed; try it in another channel.`,
  };
}
