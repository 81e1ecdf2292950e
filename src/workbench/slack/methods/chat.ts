/** Writing, changing and deleting messages. */
import type { Json, Message } from '../objects.ts';
import { isObject, objectOf } from '../reading.ts';
import type { Site } from '../site.ts';
import type { Arguments } from '../web/arguments.ts';
import { invalidArguments, Refusal } from '../web/refusal.ts';
import { messageJson } from '../wire.ts';
import { isMember } from '../world.ts';
import { needContent, readBlocks, readContent } from './message-content.ts';
import { joinedChannel, type Methods, visibleChannel, writableChannel } from './method.ts';

/** The thread to answer in. @throws Refusal `thread_not_found` */
function threadOf(args: Arguments, site: Site, channel: string): string | undefined {
  const ts = args.text('thread_ts');
  if (!ts) return undefined;
  const parent = site.messages.find(channel, ts);
  if (!parent || parent.ephemeralFor) throw new Refusal('thread_not_found');
  return parent.threadTs ?? parent.ts;
}

function post(args: Arguments, site: Site): Json {
  const channel = writableChannel(site, args.need('channel'));
  const content = needContent(args, site.ids);
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

/** A standing message of the bot's own. @throws Refusal */
function ownMessage(args: Arguments, site: Site, refusal: string): Message {
  const channel = visibleChannel(site, args.need('channel'));
  const message = site.messages.find(channel.id, args.need('ts'));
  if (!message || message.ephemeralFor) throw new Refusal('message_not_found');
  if (message.user !== site.world.bot.userId) throw new Refusal(refusal);
  return message;
}

function update(args: Arguments, site: Site): Json {
  const message = ownMessage(args, site, 'cant_update_message');
  const channel = joinedChannel(site, message.channel);
  if (channel.archived) throw new Refusal('is_archived');
  const { text, blocks, attachments, metadata } = readContent(args, site.ids);
  const given = ['text', 'blocks', 'attachments', 'metadata'].some(
    (field) => args.values[field] !== undefined,
  );
  if (!given) throw new Refusal('no_text');
  // What is left out stays as it was; an empty list or object takes it away.
  const edited = site.messages.edit(message, {
    ...(args.values['text'] === undefined ? {} : { text }),
    ...(blocks ? { blocks } : {}),
    ...(attachments ? { attachments } : {}),
    ...(args.has('metadata') ? { metadata } : {}),
  });
  if (edited.text === '' && edited.blocks.length === 0 && edited.attachments.length === 0) {
    site.messages.edit(edited, message);
    throw new Refusal('no_text');
  }
  return { channel: channel.id, ts: edited.ts, text: edited.text, message: messageJson(site, edited) };
}

function remove(args: Arguments, site: Site): Json {
  const message = ownMessage(args, site, 'cant_delete_message');
  site.messages.delete(message);
  return { channel: message.channel, ts: message.ts };
}

function postEphemeral(args: Arguments, site: Site): Json {
  const channel = writableChannel(site, args.need('channel'));
  const user = site.world.findUser(args.need('user'));
  if (!user || !isMember(channel, user.id)) throw new Refusal('user_not_in_channel');
  const { text, blocks, attachments } = needContent(args, site.ids);
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

function getPermalink(args: Arguments, site: Site): Json {
  const channel = visibleChannel(site, args.need('channel'));
  const message = site.messages.find(channel.id, args.need('message_ts'));
  if (!message || message.ephemeralFor) throw new Refusal('message_not_found');
  const link = `https://${site.world.team.domain}.slack.com/archives/${channel.id}/p${message.ts.replace('.', '')}`;
  const thread = message.threadTs ? `?thread_ts=${message.threadTs}&cid=${channel.id}` : '';
  return { channel: channel.id, permalink: `${link}${thread}` };
}

function unfurl(args: Arguments, site: Site): Json {
  const given = args.json('unfurls', 'invalid_unfurls_format');
  if (!isObject(given)) throw invalidArguments('missing required field: unfurls');
  const channel = joinedChannel(site, args.need('channel'));
  const message = site.messages.find(channel.id, args.need('ts'));
  if (!message) throw new Refusal('cannot_find_message');
  const unfurls: Record<string, Json> = {};
  for (const [url, value] of Object.entries(given)) {
    // Slack hands links over escaped and takes them back the same way.
    if (!message.text.includes(url) && !message.text.includes(url.replaceAll('&', '&amp;')))
      throw new Refusal('cannot_unfurl_url');
    const blocks = readBlocks(objectOf(value)['blocks'], site.ids, `/unfurls/${url}/blocks`);
    unfurls[url] = blocks ? { ...objectOf(value), blocks } : objectOf(value);
  }
  site.messages.unfurl(message, unfurls);
  return {};
}

export const chatMethods: Methods = {
  'chat.postMessage': { scope: 'chat:write', run: post },
  'chat.update': { scope: 'chat:write', run: update },
  'chat.delete': { scope: 'chat:write', run: remove },
  'chat.postEphemeral': { scope: 'chat:write', run: postEphemeral },
  'chat.getPermalink': { run: getPermalink },
  'chat.unfurl': { scope: 'links:write', run: unfurl },
};
