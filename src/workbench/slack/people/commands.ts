/** Slash commands and shortcuts. */
import type { Channel, Json, Message } from '../objects.ts';
import { isObject, textOf } from '../reading.ts';
import type { Answer } from '../simulated-slack.ts';
import { applyResponse } from '../web/respond.ts';
import { messageJson } from '../wire.ts';
import { isMember } from '../world.ts';
import { carryOut, type Desk, interactionBase, issueResponseUrl, sendToApp } from './desk.ts';

/** How Slack names a channel to an app that may not be in it. */
function nameForCommand(channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}

/** The acknowledgement of a command may carry a message. */
function showAnswer(desk: Desk, answer: Answer, target: { userId: string; channel: string }): void {
  const text = textOf(answer.body);
  const body = text === undefined ? answer.body : { text };
  if (!answer.acked || !isObject(body)) return;
  const where = { ...target, messageTs: undefined, threadTs: undefined };
  carryOut(desk.site, 'acknowledgement', body, () => applyResponse(body, where, desk.site));
}

export async function command(
  desk: Desk,
  given: { user: string; channel: string; text: string; command?: string },
): Promise<Answer> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const channel = site.world.channel(given.channel);
  if (!isMember(channel, user.id)) throw new Error(`${user.name} isn't in ${channel.name}`);
  const target = { userId: user.id, channel: channel.id };
  const triggerId = site.triggers.issue(user.id);
  const responseUrl = issueResponseUrl(site, { ...target, messageTs: undefined, threadTs: undefined });
  const { team, bot } = site.world;
  const payload: Json = {
    token: 'simulated-verification-token',
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: nameForCommand(channel),
    user_id: user.id,
    user_name: user.name,
    command: given.command ?? '/gig',
    text: given.text,
    api_app_id: bot.appId,
    is_enterprise_install: 'false',
    response_url: responseUrl,
    trigger_id: triggerId,
  };
  const answer = await sendToApp(desk, 'slash_commands', payload, triggerId, responseUrl);
  showAnswer(desk, answer, target);
  return answer;
}

export function globalShortcut(desk: Desk, given: { user: string; callbackId: string }): Promise<Answer> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const triggerId = site.triggers.issue(user.id);
  const payload = {
    ...interactionBase(site, 'shortcut', user, triggerId),
    callback_id: given.callbackId,
    action_ts: site.ids.ts(),
  };
  return sendToApp(desk, 'interactive', payload, triggerId, undefined);
}

export function messageShortcut(
  desk: Desk,
  given: { user: string; message: Message; callbackId: string },
): Promise<Answer> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const message = site.messages.find(given.message.channel, given.message.ts);
  if (!message) throw new Error(`message ${given.message.ts} no longer exists`);
  if (message.ephemeralFor !== undefined) throw new Error('ephemeral messages have no shortcuts');
  const channel = site.world.channel(message.channel);
  const triggerId = site.triggers.issue(user.id);
  const responseUrl = issueResponseUrl(site, {
    userId: user.id,
    channel: channel.id,
    messageTs: message.ts,
    threadTs: message.threadTs,
  });
  const payload = {
    ...interactionBase(site, 'message_action', user, triggerId),
    callback_id: given.callbackId,
    action_ts: site.ids.ts(),
    response_url: responseUrl,
    message_ts: message.ts,
    channel: { id: channel.id, name: nameForCommand(channel) },
    message: messageJson(site, message),
  };
  return sendToApp(desk, 'interactive', payload, triggerId, responseUrl);
}
