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

const NOT_THERE: Message = { text: 'That was not there any more. `/gig list` shows what is.' };

/** The list was the person's own: it shows what is left. */
async function redraw(call: ActionCall): Promise<void> {
  await call.replace(await drawList(call));
}

export const unsubscribe: ActionRoute = {
  id: actionIds.unsubscribe,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const asked = filterValue.read(call.value);
    const views = await services.feed.subscriptions(channel);
    const view = views.find((each) => each.subscription.filter === asked?.filter);
    const ended = view && (await services.feed.unsubscribe(channel, view.subscription.filter, person.user));
    await redraw(call);
    if (!ended) return call.answer(NOT_THERE);
    await tellChannel(call, unsubscribedMessage(view.filter, person.user));
  },
};

export const endProfileFeed: ActionRoute = {
  id: actionIds.profileFeedEnd,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const asked = profileFeedValue.read(call.value);
    const views = await services.profiles.feeds(channel);
    const view = views.find(
      ({ feed }) =>
        feed.kind === asked?.feed &&
        feed.profile === asked.profile &&
        feed.organization === asked.organization,
    );
    const ended = view && (await services.profiles.unfollow(view.feed, person.user));
    await redraw(call);
    if (!ended) return call.answer(NOT_THERE);
    await tellChannel(call, unfollowedMessage(feedNameOf(view), person.user));
  },
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
