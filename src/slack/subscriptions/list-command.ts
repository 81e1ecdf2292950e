/** `/gig list` and the buttons of the list. */
import { hasRoleAtLeast } from '../../access/access.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { extractPreferences, isChannelPaused } from '../../feed/channels.ts';
import { findQuietHoursEnd } from '../../feed/quiet-hours.ts';
import type { FilterId } from '../../ids.ts';
import { postResultToChannel } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, CommandCall, CommandRoute, Message } from '../core/routes.ts';
import { readGroupNames } from '../core/user-groups.ts';
import { muteValueCodec } from '../kit/button-values.ts';
import { commandButton, messageWithButtons } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { profileFeedUnsubscribedMessage } from './follow-profile.ts';
import { profileFeedValueCodec, toProfileFeedName } from './profile-feeds.ts';
import { cardDensityChangedMessage, filterUnsubscribedMessage } from './subscribed.ts';
import {
  densityValueCodec,
  filterValueCodec,
  subscriptionListMessage,
  unmuteAnnouncementMessage,
} from './subscription-list.ts';

/** The channel's current subscriptions and mutes. */
async function renderSubscriptionList(
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

type Ending = Pick<ActionCall, 'services' | 'channel' | 'person' | 'answer'>;

/** The channel no longer has the subscription or mute of a press. */
export const SUBSCRIPTION_GONE: Message = messageWithButtons(
  "That's already gone from this channel, so nothing changed.",
  commandButton({ command: 'list', label: 'Subscriptions' }),
);

/** Updates the person's own list. */
async function redraw(call: ActionCall): Promise<void> {
  await call.replace(await renderSubscriptionList(call));
}

/**
 * Unsubscribes and notifies the channel. @param drawn updates the person's list before the channel hears of
 * it
 */
export async function unsubscribeAndNotify(
  call: Ending,
  filter: FilterId | undefined,
  drawn: () => Promise<void>,
): Promise<void> {
  const { services, channel, person } = call;
  const views = await services.feed.listSubscriptions(channel);
  const view = views.find((each) => each.subscription.filter === filter);
  const ended = view && (await services.feed.unsubscribe(channel, view.subscription.filter, person.user));
  await drawn();
  if (!ended) return call.answer(SUBSCRIPTION_GONE);
  await postResultToChannel(call, filterUnsubscribedMessage(view.filter, ended.rules, person.user));
}

const unsubscribeAction: ActionRoute = {
  id: actionIds.unsubscribe,
  needs: 'viewer',
  run: (call) => unsubscribeAndNotify(call, filterValueCodec.read(call.value)?.filter, () => redraw(call)),
};

/** As `unsubscribeAndNotify`, for a followed profile. */
export async function unfollowProfileAndNotify(
  call: Ending,
  asked: ReturnType<typeof profileFeedValueCodec.read>,
  drawn: () => Promise<void>,
): Promise<void> {
  const { services, channel, person } = call;
  const views = await services.profiles.listChannelProfileFeeds(channel);
  const view = views.find(
    ({ feed }) =>
      feed.kind === asked?.feed && feed.profile === asked.profile && feed.organization === asked.organization,
  );
  const ended = view && (await services.profiles.unfollowInChannel(view.feed, person.user));
  await drawn();
  if (!ended) return call.answer(SUBSCRIPTION_GONE);
  await postResultToChannel(call, profileFeedUnsubscribedMessage(toProfileFeedName(view), person.user));
}

const unfollowProfileAction: ActionRoute = {
  id: actionIds.profileFeedEnd,
  needs: 'viewer',
  run: (call) => unfollowProfileAndNotify(call, profileFeedValueCodec.read(call.value), () => redraw(call)),
};

const unmuteAction: ActionRoute = {
  id: actionIds.unmute,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const asked = muteValueCodec.read(call.value);
    const { mutes } = await services.feed.readChannelSettings(channel);
    const there = mutes.find((each) => each.kind === asked?.kind && each.value === asked.value);
    const ended = there && (await services.feed.removeMute(channel, there, person.user));
    await redraw(call);
    if (!ended) return call.answer(SUBSCRIPTION_GONE);
    await postResultToChannel(call, unmuteAnnouncementMessage(there, person.user));
  },
};

const cardDensityAction: ActionRoute = {
  id: actionIds.density,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const asked = densityValueCodec.read(call.value)?.density;
    const before = (await services.feed.readChannelSettings(channel)).density;
    if (asked && asked !== before) await services.feed.setDensity(channel, asked, person.user);
    await redraw(call);
    if (asked && asked !== before)
      await postResultToChannel(call, cardDensityChangedMessage(asked, person.user));
  },
};

export const subscriptionActions: readonly ActionRoute[] = [
  unsubscribeAction,
  unfollowProfileAction,
  unmuteAction,
  cardDensityAction,
];
