/** `/gig list` and the buttons of the list. */
import { hasRoleAtLeast } from '../../access/access.ts';
import { withoutQuotes } from '../../directory/find-by-name.ts';
import { extractPreferences, isChannelPaused } from '../../feed/channels.ts';
import { findQuietHoursEnd } from '../../feed/quiet-hours.ts';
import type { FilterId } from '../../ids.ts';
import { foldText } from '../../query/words.ts';
import { postResultToChannel } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, CommandCall, CommandRoute, Message } from '../core/routes.ts';
import { readGroupNames } from '../core/user-groups.ts';
import { muteValueCodec } from '../kit/button-values.ts';
import { commandButton, messageWithButtons } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText, formatMention } from '../kit/mrkdwn.ts';
import { profileFeedUnsubscribedMessage } from './follow-profile.ts';
import { profileFeedValueCodec, toProfileFeedName } from './profile-feeds.ts';
import { filterUnsubscribedMessage } from './subscribe-to-filter.ts';
import { filterValueCodec, muteText, subscriptionListMessage } from './subscription-list.ts';

function isMatch(words: string, id: number, name = ''): boolean {
  const folded = foldText(words);
  return words.replace('#', '') === String(id) || (folded !== '' && foldText(name).includes(folded));
}

/** @param words only subscriptions whose ID or name matches */
async function renderSubscriptionList(
  call: Pick<CommandCall | ActionCall, 'services' | 'channel' | 'person'>,
  words = '',
): Promise<Message> {
  const { feed, profiles, clock, timezone } = call.services;
  const [subscriptions, profileFeeds, settings] = await Promise.all([
    feed.listSubscriptions(call.channel),
    profiles.listChannelProfileFeeds(call.channel),
    feed.readChannelSettings(call.channel),
  ]);
  const { paused } = settings;
  const choices = extractPreferences(settings);
  const quietUntil = findQuietHoursEnd(settings, timezone, clock.now());
  const groups = choices.mentions.flatMap((rule) => rule.groups);
  const mayChange = hasRoleAtLeast(call.person.role, 'viewer');
  if (words !== '') {
    const found = {
      subscriptions: subscriptions.filter(({ filter }) => isMatch(words, filter.id, filter.name)),
      profiles: profileFeeds.filter((it) => isMatch(words, it.feed.profile, it.profileName)),
    };
    if (found.subscriptions.length + found.profiles.length === 0)
      return messageWithButtons(
        `This channel has no subscription that matches ${codeText(words, 100)}.`,
        commandButton({ command: 'list', label: 'Subscriptions' }),
      );
    return subscriptionListMessage({ ...found, mutes: [], mayChange });
  }
  return subscriptionListMessage({
    subscriptions,
    profiles: profileFeeds,
    paused: paused && isChannelPaused(settings, clock.now()) ? paused : undefined,
    mutes: settings.mutes,
    chosen: { choices, timezone, names: await readGroupNames(call.services, groups), quietUntil },
    mayChange,
  });
}

export const listCommand: CommandRoute = {
  word: 'list',
  topic: 'feed',
  needs: 'outsider',
  usage: ['list [<id|name>]'],
  summary: "Show what this channel gets. Includes each subscription's state, what's muted, and the settings.",
  details: 'Each subscription has Edit and Unsubscribe. With a name or an ID, you see only what matches.',
  examples: ['list', 'list 123'],
  async run(call) {
    const words = withoutQuotes(call.args.replace(/^filter\s+(?=\S)/iu, ''));
    await call.answer(await renderSubscriptionList(call, words));
  },
};

type Ending = Pick<ActionCall, 'services' | 'channel' | 'person' | 'answer'>;

/** The channel no longer has the subscription or mute of a press. */
export const SUBSCRIPTION_GONE: Message = messageWithButtons(
  "That's already gone from this channel, so nothing changed.",
  commandButton({ command: 'list', label: 'Subscriptions' }),
);

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

async function unmute(call: ActionCall): Promise<void> {
  const { services, channel, person } = call;
  const asked = muteValueCodec.read(call.value);
  const { mutes } = await services.feed.readChannelSettings(channel);
  const there = mutes.find((each) => each.kind === asked?.kind && each.value === asked.value);
  const ended = there && (await services.feed.removeMute(channel, there, person.user));
  await redraw(call);
  if (!ended) return call.answer(SUBSCRIPTION_GONE);
  const text = `${formatMention(person.user)} unmuted ${muteText(there)} in this channel.`;
  await postResultToChannel(call, { text });
}

export const subscriptionActions: readonly ActionRoute[] = [
  {
    id: actionIds.unsubscribe,
    needs: 'viewer',
    run: (call) => unsubscribeAndNotify(call, filterValueCodec.read(call.value)?.filter, () => redraw(call)),
  },
  {
    id: actionIds.profileFeedEnd,
    needs: 'viewer',
    run: (call) => unfollowProfileAndNotify(call, profileFeedValueCodec.read(call.value), () => redraw(call)),
  },
  { id: actionIds.unmute, needs: 'viewer', run: unmute },
];
