/** What an app may send to a `response_url`, or give back in the acknowledgement of a command. */

import { isEmpty, readContent } from '../methods/message-content.ts';
import type { Json, Message } from '../objects.ts';
import type { ResponseTarget } from '../response-urls.ts';
import type { Site } from '../site.ts';
import { Arguments } from './arguments.ts';
import { Refusal } from './refusal.ts';

/** Shows the answer, replaces or deletes the message that was acted on. @throws Refusal */
export function applyResponse(body: Json, target: ResponseTarget, site: Site): Message | undefined {
  const args = new Arguments(body);
  const original = target.messageTs ? site.messages.find(target.channel, target.messageTs) : undefined;
  if (args.flag('delete_original')) {
    if (!original) throw new Refusal('message_not_found');
    site.messages.delete(original);
    return undefined;
  }
  const content = readContent(args, site.ids);
  if (isEmpty(content)) throw new Refusal('no_text');
  const { text, blocks = [], attachments = [], metadata } = content;
  // Without this flag Slack writes a new message; a command has none to replace.
  if (args.flag('replace_original')) {
    if (!original) throw new Refusal('message_not_found');
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
