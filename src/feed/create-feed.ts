/** The feed service, as commands, buttons and delivery use it. */
import type { ChannelId, FilterId, UserId } from '../ids.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import { bundleCardsIntoSummary, postMoreCardsFromSummary } from './card-details.ts';
import { assignCard, claimProject, releaseProjectClaim, skipCard, undoCardSkip } from './card-teamwork.ts';
import {
  addMute,
  changeChannelPreferences,
  pauseChannelFeed,
  removeMute,
  restartStoppedFeeds,
  resumeChannelFeed,
  stopChannelFeeds,
} from './channel-changes.ts';
import { readChannelSettings } from './channels.ts';
import type { FeedContext } from './feed.ts';
import { readCardData, readFeedStatus, readSubscriptionStatuses } from './feed-status.ts';
import { listRecentFilterProjects, postFirstCard, shareProject } from './first-card.ts';
import { FitHistories } from './fit-history.ts';
import { Poller } from './poller.ts';
import { releaseAllQuietHoursPosts, releaseQuietHoursPosts } from './quiet-hours.ts';
import {
  changeSubscriptionRules,
  listKnownFilters,
  listStoredFilters,
  subscribeChannel,
  unsubscribeChannel,
} from './subscribe.ts';

export type FeedService = ReturnType<typeof createFeedService>;

/** @param parts call `credits.recoverReservations` for the previous process's reservations before `run` */
export function createFeedService(parts: FeedContext) {
  const { store, clock } = parts;
  const context: FeedContext = { ...parts, fitHistories: new FitHistories(parts) };
  const poller = new Poller(context);

  /** After the change, polls may be due at once. */
  const waking =
    <A extends readonly unknown[], T>(change: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const result = await change(...args);
      poller.wake();
      return result;
    };
  const resume = waking(resumeChannelFeed.bind(null, context));

  return {
    /** Polls until stopped. @returns after all running polls are stored */
    run: (signal: AbortSignal) => poller.run(signal),
    /** Checks for polls at once, after an outside change such as a raised budget. */
    wake: () => poller.wake(),
    /**
     * Reads these filters next, within the request limit, the budgets and the pause between two reads.
     * Returns at once: it only remembers them, in memory. Filters that the feed doesn't read are ignored.
     */
    hintFilters: (filters: readonly FilterId[]) => poller.hint(filters),

    subscribe: waking(subscribeChannel.bind(null, context)),
    changeRules: waking(changeSubscriptionRules.bind(null, context)),
    unsubscribe: waking(unsubscribeChannel.bind(null, context)),
    listSubscriptions: readSubscriptionStatuses.bind(null, context),
    listKnownFilters: listKnownFilters.bind(null, context),
    listStoredFilters: listStoredFilters.bind(null, context),
    listRecentFilterProjects: (filter: FilterId, limit: number) =>
      store.read((tx) => listRecentFilterProjects(tx, filter, limit)),
    postFirstCard: postFirstCard.bind(null, context),

    pauseChannelFeed: pauseChannelFeed.bind(null, context),
    /** Also restarts feeds that Slack's refusals stopped. @returns false if there was nothing to resume */
    resumeChannelFeed: async (channel: ChannelId, by: UserId) => {
      const resumed = await resume(channel, by);
      // Posts from quiet hours that ended during the pause.
      await releaseQuietHoursPosts(context, channel);
      return resumed;
    },

    claimProject: claimProject.bind(null, context),
    releaseProjectClaim: releaseProjectClaim.bind(null, context),
    skipProject: skipCard.bind(null, context),
    undoSkip: undoCardSkip.bind(null, context),
    assignProject: assignCard.bind(null, context),
    shareProject: shareProject.bind(null, context),
    addMute: addMute.bind(null, context),
    removeMute: removeMute.bind(null, context),
    changeChannelPreferences: changeChannelPreferences.bind(null, context),
    /** Every minute: sends posts from quiet hours that are over. */
    quietHoursJob: {
      name: 'quiet hours',
      runIfDue: (_at, signal) => releaseAllQuietHoursPosts(context, signal),
    } satisfies ScheduledJob,

    readCardData,
    bundleCardsIntoSummary,
    postMoreCardsFromSummary: postMoreCardsFromSummary.bind(null, context),
    /** Slack takes posts in the channel again. */
    restartStoppedFeeds: waking(async (channel: ChannelId) => {
      await store.transact((tx) => restartStoppedFeeds(context, tx, channel, clock.now()));
    }),
    stopChannelFeeds: stopChannelFeeds.bind(null, context),

    readChannelSettings: (channel: ChannelId) => store.read((tx) => readChannelSettings(tx, channel)),
    readFeedStatus: readFeedStatus.bind(null, context),
  };
}
