/** Channels: their data, members and messages. */
import { compareTs } from '../identifiers.ts';
import { channelJson, messageJson } from '../object-json.ts';
import type { JsonObject, SlackChannel, SlackMessage } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import type { CallArguments } from '../web/arguments.ts';
import { STRICT_HISTORY_LIMITS } from '../web/rate-limits.ts';
import { SlackApiError } from '../web/slack-api-error.ts';
import { isMember } from '../workspace-store.ts';
import { type PageSizeLimits, paginateByCursor } from './cursor-pages.ts';
import {
  requireChannelJoinedByBot,
  requireChannelVisibleToBot,
  scopeForChannelKind,
  type WebApiMethods,
} from './method.ts';

const LISTS = { usual: 100, most: 1000 };

function info(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const channel = requireChannelVisibleToBot(site, args.requireText('channel'));
  const json = channelJson(channel, site.world.bot.userId);
  return {
    channel: args.flag('include_num_members') ? { ...json, num_members: channel.members.length } : json,
  };
}

const KIND_OF_TYPE: Readonly<Record<string, SlackChannel['kind'] | 'none'>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: 'none',
};

const SCOPE_OF_KIND: Readonly<Record<string, string>> = { private: 'groups:read', im: 'im:read' };

/** Each type needs its scope; returns the first one that is missing. */
function scopeByTypes(args: CallArguments, site: SlackSimulatorContext): string | undefined {
  const needed = listKinds(args).map((kind) => SCOPE_OF_KIND[kind] ?? 'channels:read');
  return needed.find((scope) => !site.settings.scopes.includes(scope)) ?? needed[0];
}

function listKinds(args: CallArguments): readonly string[] {
  return (args.text('types') ?? 'public_channel').split(',').map((each) => {
    const kind = KIND_OF_TYPE[each.trim()];
    if (!kind) throw new SlackApiError('invalid_types');
    return kind;
  });
}

function list(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const kinds = listKinds(args);
  const bot = site.world.bot.userId;
  const known = site.world.channels().filter((channel) => {
    if (channel.archived && args.flag('exclude_archived')) return false;
    return kinds.includes(channel.kind) && (channel.kind === 'public' || isMember(channel, bot));
  });
  const { items, response_metadata } = paginateByCursor(known, args, LISTS);
  return { channels: items.map((channel) => channelJson(channel, bot)), response_metadata };
}

/**
 * The channels of a person (the bot, when absent); private ones only if the bot is a member, too. Slack omits
 * `is_member` here.
 */
function listOfPerson(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const kinds = listKinds(args);
  const bot = site.world.bot.userId;
  const person = site.world.findUser(args.text('user') ?? bot);
  if (!person) throw new SlackApiError('user_not_found');
  const theirs = site.world.channels().filter((channel) => {
    if (channel.archived && args.flag('exclude_archived')) return false;
    if (!kinds.includes(channel.kind) || !isMember(channel, person.id)) return false;
    return channel.kind === 'public' || isMember(channel, bot);
  });
  const { items, response_metadata } = paginateByCursor(theirs, args, { usual: 100, most: 999 });
  const channels = items.map((channel) => {
    const { is_member: _membership, ...json } = channelJson(channel, bot);
    return json;
  });
  return { channels, response_metadata };
}

/** Whether a message's time is within the requested bounds. */
function inWindow(args: CallArguments): (message: SlackMessage) => boolean {
  const oldest = args.text('oldest') || '0';
  const latest = args.text('latest');
  const inclusive = args.flag('inclusive');
  return (message) => {
    const after = compareTs(message.ts, oldest);
    if (after < 0 || (after === 0 && !inclusive)) return false;
    const before = latest ? compareTs(message.ts, latest) : -1;
    return before < 0 || (before === 0 && inclusive);
  };
}

function historyPage({ settings }: SlackSimulatorContext, usual: PageSizeLimits): PageSizeLimits {
  const { page } = STRICT_HISTORY_LIMITS;
  return settings.historyLimit === 'strict' ? { usual: page, most: page } : usual;
}

function history(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const channel = requireChannelJoinedByBot(site, args.requireText('channel'));
  const newestFirst = site.messages.topLevelMessages(channel.id).filter(inWindow(args)).reverse();
  const page = paginateByCursor(newestFirst, args, historyPage(site, { usual: 100, most: 999 }));
  const withMetadata = args.flag('include_all_metadata');
  return {
    messages: page.items.map((message) => messageJson(site, message, withMetadata)),
    has_more: page.hasMore,
    pin_count: 0,
    ...(page.hasMore ? { response_metadata: page.response_metadata } : {}),
  };
}

function replies(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const channel = requireChannelJoinedByBot(site, args.requireText('channel'));
  const asked = site.messages.find(channel.id, args.requireText('ts'));
  if (!asked || asked.ephemeralFor) throw new SlackApiError('thread_not_found');
  const [parent, ...rest] = site.messages.thread(channel.id, asked.threadTs ?? asked.ts);
  const page = paginateByCursor(rest.filter(inWindow(args)), args, historyPage(site, LISTS));
  const shown = parent ? [parent, ...page.items] : page.items;
  const withMetadata = args.flag('include_all_metadata');
  return {
    messages: shown.map((message) => messageJson(site, message, withMetadata)),
    has_more: page.hasMore,
    ...(page.hasMore ? { response_metadata: page.response_metadata } : {}),
  };
}

function members(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const channel = requireChannelVisibleToBot(site, args.requireText('channel'));
  const { items, response_metadata } = paginateByCursor(channel.members, args, LISTS);
  return { members: items, response_metadata };
}

function join(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const channel = requireChannelVisibleToBot(site, args.requireText('channel'));
  if (channel.kind !== 'public') throw new SlackApiError('method_not_supported_for_channel_type');
  if (channel.archived) throw new SlackApiError('is_archived');
  const bot = site.world.bot.userId;
  const already = isMember(channel, bot);
  site.world.addMember(channel.id, bot);
  const json = { channel: channelJson(site.world.channel(channel.id), bot) };
  return already ? { ...json, warning: 'already_in_channel' } : json;
}

function open(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  if (args.has('channel'))
    return { channel: { id: requireChannelVisibleToBot(site, args.requireText('channel')).id } };
  const [userId, ...others] = args.requireText('users').split(',');
  if (others.length > 0) throw new SlackApiError('method_not_supported_for_channel_type');
  const user = site.world.findUser(userId ?? '');
  if (!user) throw new SlackApiError('user_not_found');
  if (user.deleted) throw new SlackApiError('user_disabled');
  return { channel: { id: site.world.directChannel(user.id).id } };
}

export const conversationMethods: WebApiMethods = {
  'conversations.info': { scope: scopeForChannelKind('read'), run: info },
  'conversations.list': { scope: scopeByTypes, run: list },
  'users.conversations': { scope: scopeByTypes, run: listOfPerson },
  'conversations.history': { scope: scopeForChannelKind('history'), run: history },
  'conversations.replies': { scope: scopeForChannelKind('history'), run: replies },
  'conversations.members': { scope: scopeForChannelKind('read'), run: members },
  'conversations.join': { scope: 'channels:join', run: join },
  'conversations.open': { scope: 'im:write', run: open },
};
