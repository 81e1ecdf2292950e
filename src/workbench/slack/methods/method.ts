/** One Web API method: its requirements and its effect. */
import type { JsonObject, SlackChannel } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import type { CallArguments } from '../web/arguments.ts';
import { SlackApiError } from '../web/slack-api-error.ts';
import { isMember } from '../workspace-store.ts';

export interface WebApiMethod {
  /** The required scope; undefined when a valid token is enough. */
  readonly scope?: string | ((args: CallArguments, site: SlackSimulatorContext) => string | undefined);
  /** Requires the app-level token, not the bot's. */
  readonly appToken?: boolean;
  /** Needs no token: its arguments say who calls. */
  readonly withoutToken?: boolean;
  /** Returns the response's fields besides `ok`. @throws SlackApiError */
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

/** A channel that the bot can see. @throws SlackApiError `channel_not_found` */
export function requireChannelVisibleToBot(site: SlackSimulatorContext, id: string): SlackChannel {
  const channel = site.world.findChannel(id);
  if (!channel || (channel.kind !== 'public' && !isMember(channel, site.world.bot.userId)))
    throw new SlackApiError('channel_not_found');
  return channel;
}

/** A channel that the bot is a member of. */
export function requireChannelJoinedByBot(site: SlackSimulatorContext, id: string): SlackChannel {
  const channel = requireChannelVisibleToBot(site, id);
  if (!isMember(channel, site.world.bot.userId)) throw new SlackApiError('not_in_channel');
  return channel;
}

/** A channel that the bot can post in. A person's ID opens their direct message. */
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
