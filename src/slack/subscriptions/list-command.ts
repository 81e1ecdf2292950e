import { hasRoleAtLeast } from '../../access/roles.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { extractPreferences } from '../../feed/channel-preferences.ts';
import { isChannelPaused } from '../../feed/channels.ts';
import { findQuietHoursEnd } from '../../feed/quiet-hours.ts';
import type { ActionCall, CommandCall, CommandRoute, Message } from '../core/routes.ts';
import { readGroupNames } from '../core/user-groups.ts';
import { subscriptionListMessage } from './subscription-list.ts';

/** The channel's current subscriptions and mutes. */
export async function renderSubscriptionList(
  call: Pick<CommandCall | ActionCall, 'services' | 'channel' | 'person'>,
): Promise<Message> {
  const { feed, profiles, clock, timezone } = call.services;
  const [subscriptions, profileFeeds, settings] = await Promise.all([
    feed.listSubscriptions(call.channel),
    profiles.listChannelProfileFeeds(call.channel),
    feed.readChannelSettings(call.channel),
  ]);
  const { paused } = settings;
  const choices = extractPreferences(settings);
  const until = findQuietHoursEnd(settings, timezone, clock.now());
  const groups = choices.mentions.flatMap((rule) => rule.groups);
  return subscriptionListMessage({
    subscriptions,
    profiles: profileFeeds,
    ...(paused && isChannelPaused(settings, clock.now()) ? { paused } : {}),
    mutes: settings.mutes,
    density: settings.density,
    chosen: {
      choices,
      timezone,
      names: await readGroupNames(call.services, groups),
      ...omitUndefined({ quietUntil: until }),
    },
    mayChange: hasRoleAtLeast(call.person.role, 'viewer'),
  });
}

export async function replyWithSubscriptionList(call: CommandCall): Promise<void> {
  await call.answer(await renderSubscriptionList(call));
}

export const listCommand: CommandRoute = {
  word: 'list',
  topic: 'feed',
  needs: 'outsider',
  usage: ['list'],
  summary:
    "Show what this channel follows, the status of each feed, what's muted, and the channel's settings.",
  examples: ['list'],
  run: replyWithSubscriptionList,
};
