/** Posting, updating and deleting messages. */

import { isJsonObject, objectOrEmpty } from '../json-reading.ts';
import { messageJson } from '../object-json.ts';
import type { JsonObject, SlackMessage } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import type { CallArguments } from '../web/arguments.ts';
import { invalidArgumentsError, SlackApiError } from '../web/slack-api-error.ts';
import { isMember } from '../workspace-store.ts';
import { parseMessageBlocks, parseMessageContent, requireMessageContent } from './message-content.ts';
import {
  requireChannelJoinedByBot,
  requireChannelVisibleToBot,
  requireChannelWritableByBot,
  type WebApiMethods,
} from './method.ts';

/** The thread to reply in. @throws SlackApiError `thread_not_found` */
function threadOf(args: CallArguments, site: SlackSimulatorContext, channel: string): string | undefined {
  const ts = args.text('thread_ts');
  if (!ts) return undefined;
  const parent = site.messages.find(channel, ts);
  if (!parent || parent.ephemeralFor) throw new SlackApiError('thread_not_found');
  return parent.threadTs ?? parent.ts;
}

function post(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const channel = requireChannelWritableByBot(site, args.requireText('channel'));
  const content = requireMessageContent(args, site);
  const message = site.messages.post({
    channel: channel.id,
    user: site.world.bot.userId,
    byBot: true,
    text: content.text,
    blocks: content.blocks ?? [],
    attachments: content.attachments ?? [],
    metadata: content.metadata,
    threadTs: threadOf(args, site, channel.id),
    broadcast: args.flag('reply_broadcast'),
  });
  return { channel: channel.id, ts: message.ts, message: messageJson(site, message) };
}

/** An existing message of the bot. @throws SlackApiError */
function ownMessage(args: CallArguments, site: SlackSimulatorContext, refusal: string): SlackMessage {
  const channel = requireChannelVisibleToBot(site, args.requireText('channel'));
  const message = site.messages.find(channel.id, args.requireText('ts'));
  if (!message || message.ephemeralFor) throw new SlackApiError('message_not_found');
  if (message.user !== site.world.bot.userId) throw new SlackApiError(refusal);
  return message;
}

function update(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const message = ownMessage(args, site, 'cant_update_message');
  const channel = requireChannelJoinedByBot(site, message.channel);
  if (channel.archived) throw new SlackApiError('is_archived');
  const { text, blocks, attachments, metadata } = parseMessageContent(args, site);
  const given = ['text', 'blocks', 'attachments', 'metadata'].some(
    (field) => args.values[field] !== undefined,
  );
  if (!given) throw new SlackApiError('no_text');
  // Omitted fields stay unchanged; an empty list or object clears its field.
  const edited = site.messages.edit(message, {
    ...(args.values['text'] === undefined ? {} : { text }),
    ...(blocks ? { blocks } : {}),
    ...(attachments ? { attachments } : {}),
    ...(args.has('metadata') ? { metadata } : {}),
  });
  if (edited.text === '' && edited.blocks.length === 0 && edited.attachments.length === 0) {
    site.messages.edit(edited, message);
    throw new SlackApiError('no_text');
  }
  return { channel: channel.id, ts: edited.ts, text: edited.text, message: messageJson(site, edited) };
}

function remove(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const message = ownMessage(args, site, 'cant_delete_message');
  site.messages.delete(message);
  return { channel: message.channel, ts: message.ts };
}

function postEphemeral(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const channel = requireChannelWritableByBot(site, args.requireText('channel'));
  const user = site.world.findUser(args.requireText('user'));
  if (!user || !isMember(channel, user.id)) throw new SlackApiError('user_not_in_channel');
  const { text, blocks, attachments } = requireMessageContent(args, site);
  const message = site.messages.post({
    channel: channel.id,
    user: site.world.bot.userId,
    byBot: true,
    text,
    blocks: blocks ?? [],
    attachments: attachments ?? [],
    threadTs: threadOf(args, site, channel.id),
    ephemeralFor: user.id,
  });
  return { message_ts: message.ts };
}

function getPermalink(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const channel = requireChannelVisibleToBot(site, args.requireText('channel'));
  const message = site.messages.find(channel.id, args.requireText('message_ts'));
  if (!message || message.ephemeralFor) throw new SlackApiError('message_not_found');
  const id = `p${message.ts.replace('.', '')}`;
  const link = `https://${site.world.team.domain}.slack.com/archives/${channel.id}/${id}`;
  const thread = message.threadTs ? `?thread_ts=${message.threadTs}&cid=${channel.id}` : '';
  return { channel: channel.id, permalink: `${link}${thread}` };
}

function unfurl(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const given = args.json('unfurls', 'invalid_unfurls_format');
  if (!isJsonObject(given)) throw invalidArgumentsError('missing required field: unfurls');
  const channel = requireChannelJoinedByBot(site, args.requireText('channel'));
  const message = site.messages.find(channel.id, args.requireText('ts'));
  if (!message) throw new SlackApiError('cannot_find_message');
  const unfurls: Record<string, JsonObject> = {};
  for (const [url, value] of Object.entries(given)) {
    // Slack sends links escaped and accepts them the same way.
    if (!message.text.includes(url) && !message.text.includes(url.replaceAll('&', '&amp;')))
      throw new SlackApiError('cannot_unfurl_url');
    const blocks = parseMessageBlocks(objectOrEmpty(value)['blocks'], site, `/unfurls/${url}/blocks`);
    unfurls[url] = blocks ? { ...objectOrEmpty(value), blocks } : objectOrEmpty(value);
  }
  site.messages.addUnfurls(message, unfurls);
  return {};
}

export const chatMethods: WebApiMethods = {
  'chat.postMessage': { scope: 'chat:write', run: post },
  'chat.update': { scope: 'chat:write', run: update },
  'chat.delete': { scope: 'chat:write', run: remove },
  'chat.postEphemeral': { scope: 'chat:write', run: postEphemeral },
  'chat.getPermalink': { run: getPermalink },
  'chat.unfurl': { scope: 'links:write', run: unfurl },
};
