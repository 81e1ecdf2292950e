/** One Web API method: what it needs and what it does. */
import type { JsonObject, SlackChannel } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import type { CallArguments } from '../web/arguments.ts';
import { SlackApiError } from '../web/slack-api-error.ts';
import { isMember } from '../workspace-store.ts';

export interface WebApiMethod {
  /** The scope that it needs; undefined when a valid token is enough. */
  readonly scope?: string | ((args: CallArguments, site: SlackSimulatorContext) => string | undefined);
  /** Taken with the app-level token, not the bot's. */
  readonly appToken?: boolean;
  /** The answer's fields beside `ok`. @throws Refusal */
  readonly run: (args: CallArguments, site: SlackSimulatorContext) => JsonObject;
}

export type WebApiMethods = Readonly<Record<string, WebApiMethod>>;

/** `channels:` for public channels, `groups:` for private ones, `im:` for direct messages. */
export function scopeForChannelKind(
  right: 'read' | 'history',
): (args: CallArguments, site: SlackSimulatorContext) => string {
  const family = { public: 'channels', private: 'groups', im: 'im' };
  return (args, site) => {
    const channel = site.world.findChannel(args.text('channel') ?? '');
    return `${family[channel?.kind ?? 'public']}:${right}`;
  };
}

/** A channel that the bot may know of. @throws Refusal `channel_not_found` */
export function requireChannelVisibleToBot(site: SlackSimulatorContext, id: string): SlackChannel {
  const channel = site.world.findChannel(id);
  if (!channel || (channel.kind !== 'public' && !isMember(channel, site.world.bot.userId)))
    throw new SlackApiError('channel_not_found');
  return channel;
}

/** A channel in which the bot may read or act as a member. */
export function requireChannelJoinedByBot(site: SlackSimulatorContext, id: string): SlackChannel {
  const channel = requireChannelVisibleToBot(site, id);
  if (!isMember(channel, site.world.bot.userId)) throw new SlackApiError('not_in_channel');
  return channel;
}

/** A channel in which the bot may write. Writing to a person's id opens the conversation with them. */
export function requireChannelWritableByBot(site: SlackSimulatorContext, given: string): SlackChannel {
  const person = site.world.findUser(given);
  const named = site.world.channels().find((each) => given === `#${each.name}`);
  const channel = person
    ? site.world.directChannel(person.id)
    : requireChannelVisibleToBot(site, named?.id ?? given);
  if (channel.archived) throw new SlackApiError('is_archived');
  const uninvited = channel.kind === 'public' && site.settings.scopes.includes('chat:write.public');
  if (!uninvited && !isMember(channel, site.world.bot.userId)) throw new SlackApiError('not_in_channel');
  return channel;
}
