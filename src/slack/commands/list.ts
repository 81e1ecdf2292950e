import { mayAct } from '../../access/roles.ts';
import { subscriptionList } from '../messages/subscription-list.ts';
import type { ActionCall, CommandCall, CommandRoute, Message } from '../routes.ts';

/** The channel's subscriptions and mutes as they stand now. */
export async function drawList(
  call: Pick<CommandCall | ActionCall, 'services' | 'channel' | 'person'>,
): Promise<Message> {
  const { feed } = call.services;
  const [subscriptions, settings] = await Promise.all([
    feed.subscriptions(call.channel),
    feed.settings(call.channel),
  ]);
  return subscriptionList({
    subscriptions,
    mutes: settings.mutes,
    density: settings.density,
    mayChange: mayAct(call.person.role, 'viewer'),
  });
}

export async function listChannel(call: CommandCall): Promise<void> {
  await call.answer(await drawList(call));
}

export const list: CommandRoute = {
  word: 'list',
  topic: 'feed',
  needs: 'outsider',
  usage: ['list'],
  summary: 'What this channel follows, how each subscription stands, what is muted, and how cards look.',
  examples: ['list'],
  run: listChannel,
};
