import { mayAct } from '../../access/roles.ts';
import { isPaused } from '../../feed/channels.ts';
import { subscriptionList } from '../messages/subscription-list.ts';
import type { ActionCall, CommandCall, CommandRoute, Message } from '../routes.ts';

/** The channel's subscriptions and mutes as they stand now. */
export async function drawList(
  call: Pick<CommandCall | ActionCall, 'services' | 'channel' | 'person'>,
): Promise<Message> {
  const { feed, profiles, clock } = call.services;
  const [subscriptions, profileFeeds, settings] = await Promise.all([
    feed.subscriptions(call.channel),
    profiles.feeds(call.channel),
    feed.settings(call.channel),
  ]);
  const { paused } = settings;
  return subscriptionList({
    subscriptions,
    profiles: profileFeeds,
    ...(paused && isPaused(settings, clock.now()) ? { paused } : {}),
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
