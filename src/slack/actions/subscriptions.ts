import type { FilterId } from '../../ids.ts';
import { actionIds } from '../blocks/ids.ts';
import { drawList } from '../commands/list.ts';
import { unmutedForChannel } from '../messages/card-questions.ts';
import { unfollowedMessage } from '../messages/followed.ts';
import { feedNameOf } from '../messages/profile-feed-block.ts';
import { profileFeedValue } from '../messages/profile-values.ts';
import { densityMessage, unsubscribedMessage } from '../messages/subscribed.ts';
import { densityValue, filterValue, muteValue } from '../messages/values.ts';
import type { ActionCall, ActionRoute, Message } from '../routes.ts';
import { tellChannel } from './tell-channel.ts';

type Ending = Pick<ActionCall, 'services' | 'channel' | 'person' | 'answer'>;

const NOT_THERE: Message = { text: "That's already gone. Use `/gig list` to see what's left." };

/** The list was the person's own: it shows what is left. */
async function redraw(call: ActionCall): Promise<void> {
  await call.replace(await drawList(call));
}

/** Ends one and tells the channel. @param drawn shows the person what is left, before the channel hears of it */
export async function endSubscription(
  call: Ending,
  filter: FilterId | undefined,
  drawn: () => Promise<void>,
): Promise<void> {
  const { services, channel, person } = call;
  const views = await services.feed.subscriptions(channel);
  const view = views.find((each) => each.subscription.filter === filter);
  const ended = view && (await services.feed.unsubscribe(channel, view.subscription.filter, person.user));
  await drawn();
  if (!ended) return call.answer(NOT_THERE);
  await tellChannel(call, unsubscribedMessage(view.filter, person.user));
}

export const unsubscribe: ActionRoute = {
  id: actionIds.unsubscribe,
  needs: 'viewer',
  run: (call) => endSubscription(call, filterValue.read(call.value)?.filter, () => redraw(call)),
};

/** The same of what the channel follows of a profile. */
export async function endFeedOfProfile(
  call: Ending,
  asked: ReturnType<typeof profileFeedValue.read>,
  drawn: () => Promise<void>,
): Promise<void> {
  const { services, channel, person } = call;
  const views = await services.profiles.feeds(channel);
  const view = views.find(
    ({ feed }) =>
      feed.kind === asked?.feed && feed.profile === asked.profile && feed.organization === asked.organization,
  );
  const ended = view && (await services.profiles.unfollow(view.feed, person.user));
  await drawn();
  if (!ended) return call.answer(NOT_THERE);
  await tellChannel(call, unfollowedMessage(feedNameOf(view), person.user));
}

export const endProfileFeed: ActionRoute = {
  id: actionIds.profileFeedEnd,
  needs: 'viewer',
  run: (call) => endFeedOfProfile(call, profileFeedValue.read(call.value), () => redraw(call)),
};

export const unmute: ActionRoute = {
  id: actionIds.unmute,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const asked = muteValue.read(call.value);
    const { mutes } = await services.feed.settings(channel);
    const there = mutes.find((each) => each.kind === asked?.kind && each.value === asked.value);
    const ended = there && (await services.feed.unmute(channel, there, person.user));
    await redraw(call);
    if (!ended) return call.answer(NOT_THERE);
    await tellChannel(call, unmutedForChannel(there, person.user));
  },
};

export const density: ActionRoute = {
  id: actionIds.density,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const asked = densityValue.read(call.value)?.density;
    const before = (await services.feed.settings(channel)).density;
    if (asked && asked !== before) await services.feed.setDensity(channel, asked, person.user);
    await redraw(call);
    if (asked && asked !== before) await tellChannel(call, densityMessage(asked, person.user));
  },
};
