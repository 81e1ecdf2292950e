import { mayAct } from '../../access/roles.ts';
import { isPaused } from '../../feed/channels.ts';
import { choicesOf } from '../../feed/choices.ts';
import { quietUntil } from '../../feed/quiet-hours.ts';
import { subscriptionList } from '../messages/subscription-list.ts';
import type { ActionCall, CommandCall, CommandRoute, Message } from '../routes.ts';
import { readGroupNames } from '../user-groups.ts';

/** The channel's subscriptions and mutes as they stand now. */
export async function drawList(
  call: Pick<CommandCall | ActionCall, 'services' | 'channel' | 'person'>,
): Promise<Message> {
  const { feed, profiles, clock, timezone } = call.services;
  const [subscriptions, profileFeeds, settings] = await Promise.all([
    feed.subscriptions(call.channel),
    profiles.feeds(call.channel),
    feed.settings(call.channel),
  ]);
  const { paused } = settings;
  const choices = choicesOf(settings);
  const until = quietUntil(settings, timezone, clock.now());
  const groups = choices.mentions.flatMap((rule) => rule.groups);
  return subscriptionList({
    subscriptions,
    profiles: profileFeeds,
    ...(paused && isPaused(settings, clock.now()) ? { paused } : {}),
    mutes: settings.mutes,
    density: settings.density,
    chosen: {
      choices,
      timezone,
      names: await readGroupNames(call.services, groups),
      ...(until === undefined ? {} : { quietUntil: until }),
    },
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
  summary:
    "Show what this channel follows, the status of each feed, what's muted, and the channel's settings.",
  examples: ['list'],
  run: listChannel,
};
