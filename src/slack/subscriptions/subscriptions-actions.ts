import type { FilterId } from '../../ids.ts';
import { postResultToChannel } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { densityValueCodec, filterValueCodec, muteValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { renderSubscriptionList } from './list-command.ts';
import { toProfileFeedName } from './profile-feed-block.ts';
import { profileFeedUnsubscribedMessage } from './profile-feed-subscription.ts';
import { profileFeedValueCodec } from './profile-values.ts';
import { cardDensityChangedMessage, filterUnsubscribedMessage } from './subscribed.ts';
import { unmuteAnnouncementMessage } from './subscription-list.ts';

type Ending = Pick<ActionCall, 'services' | 'channel' | 'person' | 'answer'>;

const NOT_THERE: Message = { text: "That's already gone. Use `/gig list` to see what's left." };

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
  if (!ended) return call.answer(NOT_THERE);
  await postResultToChannel(call, filterUnsubscribedMessage(view.filter, person.user));
}

export const unsubscribeAction: ActionRoute = {
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
  if (!ended) return call.answer(NOT_THERE);
  await postResultToChannel(call, profileFeedUnsubscribedMessage(toProfileFeedName(view), person.user));
}

export const unfollowProfileAction: ActionRoute = {
  id: actionIds.profileFeedEnd,
  needs: 'viewer',
  run: (call) => unfollowProfileAndNotify(call, profileFeedValueCodec.read(call.value), () => redraw(call)),
};

export const unmuteAction: ActionRoute = {
  id: actionIds.unmute,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const asked = muteValueCodec.read(call.value);
    const { mutes } = await services.feed.readChannelSettings(channel);
    const there = mutes.find((each) => each.kind === asked?.kind && each.value === asked.value);
    const ended = there && (await services.feed.removeMute(channel, there, person.user));
    await redraw(call);
    if (!ended) return call.answer(NOT_THERE);
    await postResultToChannel(call, unmuteAnnouncementMessage(there, person.user));
  },
};

export const cardDensityAction: ActionRoute = {
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
