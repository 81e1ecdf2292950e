/** The feed, put together. */

import { mute, pause, resume, setDensity, stopChannel, unmute } from './channel-changes.ts';
import { readSettings } from './channels.ts';
import { choose } from './choose.ts';
import { claim, release, skip } from './claims.ts';
import type { FeedContext } from './context.ts';
import type { Feed } from './feed.ts';
import { FilterNames } from './filter-names.ts';
import { bundleFlood, showMore } from './floods.ts';
import { feedStatus, viewCard, viewSubscriptions } from './health.ts';
import { Poller } from './poller.ts';
import { releaseAllQuiet, releaseQuiet } from './quiet-posts.ts';
import { subscribe, unsubscribe } from './subscribe.ts';

/** @param context `credits` must have been told of a former run's open reservations (`recover`) before `run`. */
export function createFeed(context: FeedContext): Feed {
  const poller = new Poller(context);
  const names = new FilterNames(context);

  async function thenWake<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    poller.wake();
    return result;
  }

  return {
    run: (signal) => poller.run(signal),
    wake: () => poller.wake(),

    subscribe: (request) => thenWake(subscribe(context, names, request)),
    unsubscribe: (channel, filter, by) => thenWake(unsubscribe(context, channel, filter, by)),
    subscriptions: (channel) => viewSubscriptions(context, channel),
    knownFilters: async () => {
      const filters = await names.known();
      return names.failure === undefined ? { filters } : { filters, failure: names.failure };
    },

    pause: (channel, by, until) => pause(context, channel, by, until),
    resume: async (channel, by) => {
      const resumed = await thenWake(resume(context, { channel, by }));
      // What the pause kept back of quiet hours that are over.
      await releaseQuiet(context, channel);
      return resumed;
    },

    claim: (channel, project, by) => claim(context, channel, project, by),
    release: (channel, project, by, mayReleaseOthers) =>
      release(context, channel, project, by, mayReleaseOthers),
    skip: (channel, project, by, reason) => skip(context, channel, project, by, reason),
    mute: (channel, wanted, by) => mute(context, channel, wanted, by),
    unmute: (channel, wanted, by) => unmute(context, { channel, by }, wanted),
    setDensity: (channel, density, by) => setDensity(context, { channel, by }, density),
    choose: (channel, choices, by) => choose(context, { channel, by }, choices),
    quietJob: { name: 'quiet hours', run: (_at, signal) => releaseAllQuiet(context, signal) },

    cardView: (tx, channel, project) => viewCard(context, tx, channel, project),
    bundleFlood: (tx, channel, at) => bundleFlood(context, tx, channel, at),
    showMore: (flood, count) => showMore(context, flood, count),
    stopChannel: (tx, channel, error, at) => stopChannel(context, tx, channel, error, at),

    settings: (channel) => context.store.read((tx) => readSettings(tx, context.team, channel)),
    status: () => feedStatus(context),
  };
}
