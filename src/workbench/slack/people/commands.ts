/** Slash commands and shortcuts. */

import { isJsonObject, stringOrUndefined } from '../json-reading.ts';
import { messageJson } from '../object-json.ts';
import type { JsonObject, SlackChannel, SlackMessage } from '../objects.ts';
import type { UserActionResult } from '../simulated-slack.ts';
import { applyAppResponse } from '../web/respond.ts';
import { isMember } from '../workspace-store.ts';
import {
  baseInteractionPayload,
  issueResponseUrl,
  runLoggingRefusal,
  sendRequestToApp,
  type UserActionContext,
} from './user-action-context.ts';

/** The channel name that Slack sends to an app that may not be a member. */
function nameForCommand(channel: SlackChannel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}

/** Shows the message in a command's acknowledgement, if any. */
function showAnswer(
  desk: UserActionContext,
  answer: UserActionResult,
  target: { userId: string; channel: string },
): void {
  const text = stringOrUndefined(answer.body);
  const body = text === undefined ? answer.body : { text };
  if (!answer.acked || !isJsonObject(body)) return;
  const where = { ...target, messageTs: undefined, threadTs: undefined };
  runLoggingRefusal(desk.site, 'acknowledgement', body, () => applyAppResponse(body, where, desk.site));
}

export async function runSlashCommand(
  desk: UserActionContext,
  given: { user: string; channel: string; text: string; command?: string },
): Promise<UserActionResult> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const channel = site.world.channel(given.channel);
  if (!isMember(channel, user.id)) throw new Error(`${user.name} isn't in ${channel.name}`);
  const target = { userId: user.id, channel: channel.id };
  const triggerId = site.triggers.issue(user.id);
  const responseUrl = issueResponseUrl(site, { ...target, messageTs: undefined, threadTs: undefined });
  const { team, bot } = site.world;
  const payload: JsonObject = {
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
  const answer = await sendRequestToApp(desk, 'slash_commands', payload, triggerId, responseUrl);
  showAnswer(desk, answer, target);
  return answer;
}

export function runGlobalShortcut(
  desk: UserActionContext,
  given: { user: string; callbackId: string },
): Promise<UserActionResult> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const triggerId = site.triggers.issue(user.id);
  const payload = {
    ...baseInteractionPayload(site, 'shortcut', user, triggerId),
    callback_id: given.callbackId,
    action_ts: site.ids.nextTs(),
  };
  return sendRequestToApp(desk, 'interactive', payload, triggerId, undefined);
}

export function runMessageShortcut(
  desk: UserActionContext,
  given: { user: string; message: SlackMessage; callbackId: string },
): Promise<UserActionResult> {
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
    ...baseInteractionPayload(site, 'message_action', user, triggerId),
    callback_id: given.callbackId,
    action_ts: site.ids.nextTs(),
    response_url: responseUrl,
    message_ts: message.ts,
    channel: { id: channel.id, name: nameForCommand(channel) },
    message: messageJson(site, message),
  };
  return sendRequestToApp(desk, 'interactive', payload, triggerId, responseUrl);
}
