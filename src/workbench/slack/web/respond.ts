/** What an app may send to a `response_url`, or return in a command's acknowledgement. */

import { isContentEmpty, parseMessageContent } from '../methods/message-content.ts';
import type { JsonObject, SlackMessage } from '../objects.ts';
import type { ResponseUrlTarget } from '../response-urls.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import { CallArguments } from './arguments.ts';
import { SlackApiError } from './slack-api-error.ts';

/** Shows the answer, or replaces or deletes the message that the person acted on. @throws SlackApiError */
export function applyAppResponse(
  body: JsonObject,
  target: ResponseUrlTarget,
  site: SlackSimulatorContext,
): SlackMessage | undefined {
  const args = new CallArguments(body);
  const original = target.messageTs ? site.messages.find(target.channel, target.messageTs) : undefined;
  if (args.flag('delete_original')) {
    if (!original) throw new SlackApiError('message_not_found');
    site.messages.delete(original);
    return undefined;
  }
  const content = parseMessageContent(args, site);
  if (isContentEmpty(content)) throw new SlackApiError('no_text');
  const { text, blocks = [], attachments = [], metadata } = content;
  // Without this flag, Slack posts a new message; a command has no message to replace.
  if (args.flag('replace_original')) {
    if (!original) throw new SlackApiError('message_not_found');
    return site.messages.edit(original, { text, blocks, attachments, ...(metadata ? { metadata } : {}) });
  }
  return site.messages.post({
    channel: target.channel,
    user: site.world.bot.userId,
    byBot: true,
    text,
    blocks,
    attachments,
    metadata,
    threadTs: args.text('thread_ts') ?? target.threadTs,
    ...(args.text('response_type') === 'in_channel' ? {} : { ephemeralFor: target.userId }),
  });
}
