/** People's messages and actions in channels, and the events that notify the app. */
import type { EventSender } from '../delivery/event-sender.ts';
import { viewJson } from '../object-json.ts';
import type { SlackMessage } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import { isMember } from '../workspace-store.ts';

interface Said {
  readonly user: string;
  readonly channel: string;
  readonly text: string;
  readonly threadTs?: string;
}

export function postAsUser(site: SlackSimulatorContext, given: Said): SlackMessage {
  const user = site.world.user(given.user);
  const channel = site.world.channel(given.channel);
  if (!isMember(channel, user.id)) throw new Error(`${user.name} isn't in ${channel.name}`);
  if (channel.archived) throw new Error(`${channel.name} is archived`);
  const { text, threadTs } = given;
  return site.messages.post({ channel: channel.id, user: user.id, byBot: false, text, threadTs });
}

export async function mentionApp(
  site: SlackSimulatorContext,
  events: EventSender,
  given: { user: string; channel: string; text: string; threadTs?: string },
): Promise<{ message: SlackMessage; acked: boolean }> {
  const message = postAsUser(site, { ...given, text: `<@${site.world.bot.userId}> ${given.text}` });
  const { user, text, ts, channel, threadTs } = message;
  const team = site.world.team.id;
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const { acked } = await events.sendEvent('app_mention', {
    user,
    text,
    ts,
    channel,
    team,
    ...thread,
    event_ts: ts,
  });
  return { message, acked };
}

function unfurls(site: SlackSimulatorContext, url: string): boolean {
  const { unfurlDomains } = site.settings;
  const { hostname } = new URL(url);
  return unfurlDomains?.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`)) ?? true;
}

export async function postLinksAsUser(
  site: SlackSimulatorContext,
  events: EventSender,
  given: { user: string; channel: string; text?: string; urls: readonly string[]; threadTs?: string },
): Promise<{ message: SlackMessage; acked: boolean }> {
  const { urls, text = '', ...where } = given;
  const stands = (url: string) => text.includes(`<${url.replaceAll('&', '&amp;')}>`);
  const links = urls.filter((url) => !stands(url)).map((url) => `<${url}>`);
  const message = postAsUser(site, {
    ...where,
    text: [text, ...links].filter((each) => each !== '').join(' '),
  });
  const watched = urls.filter((url) => unfurls(site, url));
  if (watched.length === 0) return { message, acked: true };
  const { user, ts, channel, threadTs } = message;
  const { acked } = await events.sendEvent('link_shared', {
    user,
    channel,
    message_ts: ts,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    links: watched.map((url) => ({ domain: new URL(url).hostname, url })),
    source: 'conversations_history',
    unfurl_id: `${channel}.${ts}`,
    is_bot_user_member: isMember(site.world.channel(channel), site.world.bot.userId),
    event_ts: ts,
  });
  return { message, acked };
}

export async function joinChannel(
  site: SlackSimulatorContext,
  events: EventSender,
  given: { user: string; channel: string; by?: string },
): Promise<{ acked: boolean }> {
  const user = given.user === 'bot' ? site.world.bot.userId : site.world.user(given.user).id;
  site.world.addMember(given.channel, user);
  const channel = site.world.channel(given.channel);
  const { acked } = await events.sendEvent('member_joined_channel', {
    user,
    channel: channel.id,
    channel_type: channel.kind === 'private' ? 'G' : 'C',
    team: site.world.team.id,
    // Slack leaves it out if nobody invited them.
    ...(given.by === undefined ? {} : { inviter: site.world.user(given.by).id }),
  });
  return { acked };
}

export function changeChannelId(
  site: SlackSimulatorContext,
  channel: string,
  kind: 'public' | 'private',
): { readonly from: string; readonly to: string } {
  const changed = site.world.convertChannel(channel, kind);
  site.messages.moveChannel(changed.from, changed.to);
  return changed;
}

export async function convertChannel(
  site: SlackSimulatorContext,
  events: EventSender,
  channel: string,
  kind: 'public' | 'private',
): Promise<{ acked: boolean }> {
  const { from, to } = changeChannelId(site, channel, kind);
  const ids = { old_channel_id: from, new_channel_id: to };
  const { acked } = await events.sendEvent('channel_id_changed', ids);
  return { acked };
}

/** A person writes to the bot in their direct messages. */
export async function messageAppAsUser(
  site: SlackSimulatorContext,
  events: EventSender,
  given: { user: string; text: string; threadTs?: string },
): Promise<{ message: SlackMessage; acked: boolean }> {
  const { id: channel } = site.world.directChannel(site.world.user(given.user).id);
  const message = postAsUser(site, { ...given, channel });
  const { user, text, ts, threadTs } = message;
  const { acked } = await events.sendEvent('message', {
    user,
    text,
    ts,
    channel,
    channel_type: 'im',
    team: site.world.team.id,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    event_ts: ts,
  });
  return { message, acked };
}

export async function openAppHomeAsUser(
  site: SlackSimulatorContext,
  events: EventSender,
  given: { user: string; tab?: 'home' | 'messages' },
): Promise<{ acked: boolean }> {
  const user = site.world.user(given.user);
  const home = site.views.home(user.id);
  const { acked } = await events.sendEvent('app_home_opened', {
    user: user.id,
    channel: site.world.directChannel(user.id).id,
    tab: given.tab ?? 'home',
    ...(home ? { view: viewJson(site, home) } : {}),
  });
  return { acked };
}
