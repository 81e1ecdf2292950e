/** One Web API method: what it needs and what it does. */
import type { Channel, Json } from '../objects.ts';
import type { Site } from '../site.ts';
import type { Arguments } from '../web/arguments.ts';
import { Refusal } from '../web/refusal.ts';
import { isMember } from '../world.ts';

export interface Method {
  /** The scope that it needs; undefined when a valid token is enough. */
  readonly scope?: string | ((args: Arguments, site: Site) => string | undefined);
  /** Taken with the app-level token, not the bot's. */
  readonly appToken?: boolean;
  /** The answer's fields beside `ok`. @throws Refusal */
  readonly run: (args: Arguments, site: Site) => Json;
}

export type Methods = Readonly<Record<string, Method>>;

/** `channels:` for public channels, `groups:` for private ones, `im:` for direct messages. */
export function scopeByKind(right: 'read' | 'history'): (args: Arguments, site: Site) => string {
  const family = { public: 'channels', private: 'groups', im: 'im' };
  return (args, site) => {
    const channel = site.world.findChannel(args.text('channel') ?? '');
    return `${family[channel?.kind ?? 'public']}:${right}`;
  };
}

/** A channel that the bot may know of. @throws Refusal `channel_not_found` */
export function visibleChannel(site: Site, id: string): Channel {
  const channel = site.world.findChannel(id);
  if (!channel || (channel.kind !== 'public' && !isMember(channel, site.world.bot.userId)))
    throw new Refusal('channel_not_found');
  return channel;
}

/** A channel in which the bot may read or act as a member. */
export function joinedChannel(site: Site, id: string): Channel {
  const channel = visibleChannel(site, id);
  if (!isMember(channel, site.world.bot.userId)) throw new Refusal('not_in_channel');
  return channel;
}

/** A channel in which the bot may write. Writing to a person's id opens the conversation with them. */
export function writableChannel(site: Site, given: string): Channel {
  const person = site.world.findUser(given);
  const named = site.world.channels().find((each) => given === `#${each.name}`);
  const channel = person ? site.world.directChannel(person.id) : visibleChannel(site, named?.id ?? given);
  if (channel.archived) throw new Refusal('is_archived');
  const uninvited = channel.kind === 'public' && site.settings.scopes.includes('chat:write.public');
  if (!uninvited && !isMember(channel, site.world.bot.userId)) throw new Refusal('not_in_channel');
  return channel;
}
