/** Creates the feed. */
import { bundleCardsIntoSummary, postMoreCardsFromSummary } from './card-summary.ts';
import {
  addMute,
  changeChannelPreferences,
  pauseChannelFeed,
  removeMute,
  resumeChannelFeed,
  setCardDensity,
  stopChannelFeeds,
} from './channel-changes.ts';
import { readChannelSettings } from './channels.ts';
import { claimProject, releaseProjectClaim, setProjectSkipReason } from './claims.ts';
import type { FeedContext, FeedService } from './feed.ts';
import { readCardData, readFeedStatus, readSubscriptionStatuses } from './feed-status.ts';
import { FilterNames } from './filter-names.ts';
import { Poller } from './poller.ts';
import { releaseAllQuietHoursPosts, releaseQuietHoursPosts } from './quiet-posts.ts';
import { subscribeChannel, unsubscribeChannel } from './subscribe.ts';

/** @param context call `credits.recoverReservations` for the previous process's reservations before `run` */
export function createFeedService(context: FeedContext): FeedService {
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

    subscribe: (request) => thenWake(subscribeChannel(context, names, request)),
    unsubscribe: (channel, filter, by) => thenWake(unsubscribeChannel(context, channel, filter, by)),
    listSubscriptions: (channel) => readSubscriptionStatuses(context, channel),
    listKnownFilters: async () => {
      const filters = await names.listKnownFilters();
      return names.failure === undefined ? { filters } : { filters, failure: names.failure };
    },

    pauseChannelFeed: (channel, by, until) => pauseChannelFeed(context, channel, by, until),
    resumeChannelFeed: async (channel, by) => {
      const resumed = await thenWake(resumeChannelFeed(context, { channel, by }));
      // Posts from quiet hours that ended during the pause.
      await releaseQuietHoursPosts(context, channel);
      return resumed;
    },

    claimProject: (channel, project, by) => claimProject(context, channel, project, by),
    releaseProjectClaim: (channel, project, by, mayReleaseOthers) =>
      releaseProjectClaim(context, channel, project, by, mayReleaseOthers),
    skipProject: (channel, project, by, reason) =>
      setProjectSkipReason(context, channel, project, by, reason),
    addMute: (channel, wanted, by) => addMute(context, channel, wanted, by),
    removeMute: (channel, wanted, by) => removeMute(context, { channel, by }, wanted),
    setDensity: (channel, density, by) => setCardDensity(context, { channel, by }, density),
    changeChannelPreferences: (channel, choices, by) =>
      changeChannelPreferences(context, { channel, by }, choices),
    quietHoursJob: {
      name: 'quiet hours',
      runIfDue: (_at, signal) => releaseAllQuietHoursPosts(context, signal),
    },

    readCardData: (tx, channel, project) => readCardData(context, tx, channel, project),
    bundleCardsIntoSummary: (tx, channel, at) => bundleCardsIntoSummary(context, tx, channel, at),
    postMoreCardsFromSummary: (flood, count) => postMoreCardsFromSummary(context, flood, count),
    stopChannelFeeds: (tx, channel, error, at) => stopChannelFeeds(context, tx, channel, error, at),

    readChannelSettings: (channel) =>
      context.store.read((tx) => readChannelSettings(tx, context.team, channel)),
    readFeedStatus: () => readFeedStatus(context),
  };
}
