/** Creates the feed. */

import { type Claim, claimCard, releaseCard } from '../sources/claims.ts';
import { bundleCardsIntoSummary, postMoreCardsFromSummary } from './card-details.ts';
import { assignCard, placeOfCard, skipCard, undoCardSkip } from './card-teamwork.ts';
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
import type { FeedContext, FeedService } from './feed.ts';
import { readCardData, readFeedStatus, readSubscriptionStatuses } from './feed-status.ts';
import { listRecentFilterProjects, postFirstCard, shareProject } from './first-card.ts';
import { FitHistories } from './fit-histories.ts';
import { Poller } from './poller.ts';
import { releaseAllQuietHoursPosts, releaseQuietHoursPosts } from './quiet-hours.ts';
import type { Card } from './records.ts';
import { changeSubscriptionRules, FilterNames, subscribeChannel, unsubscribeChannel } from './subscribe.ts';

/** A claim undoes a skip. */
function withClaim(card: Card, claim: Claim): Card {
  const { skip: _, ...rest } = card;
  return { ...rest, claim };
}

function withoutClaim(card: Card): Card {
  const { claim: _, ...rest } = card;
  return rest;
}

/** @param parts call `credits.recoverReservations` for the previous process's reservations before `run` */
export function createFeedService(parts: FeedContext): FeedService {
  const context = { ...parts, fitHistories: new FitHistories(parts) };
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
    hintFilters: (filters) => poller.hint(filters),

    subscribe: (request) => thenWake(subscribeChannel(context, names, request)),
    changeRules: (request) => thenWake(changeSubscriptionRules(context, request)),
    unsubscribe: (channel, filter, by) => thenWake(unsubscribeChannel(context, channel, filter, by)),
    listSubscriptions: (channel) => readSubscriptionStatuses(context, channel),
    listKnownFilters: async () => {
      const filters = await names.listKnownFilters();
      return names.failure === undefined ? { filters } : { filters, failure: names.failure };
    },

    listStoredFilters: () => names.listStoredFilters(),
    listRecentFilterProjects: (filter, limit) =>
      context.store.read((tx) => listRecentFilterProjects(tx, context.team, filter, limit)),
    postFirstCard: (channel, filter) => postFirstCard(context, channel, filter),

    pauseChannelFeed: (channel, by, until) => pauseChannelFeed(context, channel, by, until),
    resumeChannelFeed: async (channel, by) => {
      const resumed = await thenWake(resumeChannelFeed(context, { channel, by }));
      // Posts from quiet hours that ended during the pause.
      await releaseQuietHoursPosts(context, channel);
      return resumed;
    },

    claimProject: (channel, project, claimer) =>
      claimCard(context, placeOfCard(context, channel, project), claimer, withClaim),
    releaseProjectClaim: (channel, project, by, mayReleaseOthers) =>
      releaseCard(context, placeOfCard(context, channel, project), { by, mayReleaseOthers }, withoutClaim),
    skipProject: (channel, project, by, reason) => skipCard(context, channel, project, { by, reason }),
    undoSkip: (channel, project) => undoCardSkip(context, channel, project),
    assignProject: (channel, project, wanted) => assignCard(context, channel, project, wanted),
    shareProject: (channel, project, by) => shareProject(context, channel, project, by),
    addMute: (channel, wanted, by) => addMute(context, channel, wanted, by),
    removeMute: (channel, wanted, by) => removeMute(context, { channel, by }, wanted),
    changeChannelPreferences: (channel, choices, by) =>
      changeChannelPreferences(context, { channel, by }, choices),
    quietHoursJob: {
      name: 'quiet hours',
      runIfDue: (_at, signal) => releaseAllQuietHoursPosts(context, signal),
    },

    readCardData: (tx, channel, project) => readCardData(context, tx, channel, project),
    bundleCardsIntoSummary: (tx, channel, at) => bundleCardsIntoSummary(context, tx, channel, at),
    postMoreCardsFromSummary: (flood, count, order = 'newest') =>
      postMoreCardsFromSummary(context, flood, count, order),
    restartStoppedFeeds: async (channel) => {
      const { store, clock } = context;
      await thenWake(store.transact((tx) => restartStoppedFeeds(context, tx, channel, clock.now())));
    },
    stopChannelFeeds: (tx, channel, error, at) => stopChannelFeeds(context, tx, channel, error, at),

    readChannelSettings: (channel) =>
      context.store.read((tx) => readChannelSettings(tx, context.team, channel)),
    readFeedStatus: () => readFeedStatus(context),
  };
}
