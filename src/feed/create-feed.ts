/** Creates the feed. */

import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { cardPostId } from '../outbox/outbox.ts';
import { type CardPlace, type Claim, changePostedCard, claimCard, releaseCard } from '../sources/claims.ts';
import { bundleCardsIntoSummary, postMoreCardsFromSummary } from './card-details.ts';
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
import type { FeedContext, FeedService } from './feed.ts';
import { readCardData, readFeedStatus, readSubscriptionStatuses } from './feed-status.ts';
import { FitHistories } from './fit-histories.ts';
import { Poller } from './poller.ts';
import { releaseAllQuietHoursPosts, releaseQuietHoursPosts } from './quiet-hours.ts';
import { type Card, cardKey, cards, type SkipReason } from './records.ts';
import { FilterNames, subscribeChannel, unsubscribeChannel } from './subscribe.ts';

function placeOf({ team }: FeedContext, channel: ChannelId, project: ProjectKey): CardPlace<Card> {
  return { collection: cards, key: cardKey(team, channel, project), post: cardPostId(channel, project) };
}

/** A claim undoes a skip. */
function withClaim(card: Card, claim: Claim): Card {
  const { skip: _, ...rest } = card;
  return { ...rest, claim };
}

function withoutClaim(card: Card): Card {
  const { claim: _, ...rest } = card;
  return rest;
}

/** `undefined` undoes the skip. */
async function setProjectSkipReason(
  context: FeedContext,
  channel: ChannelId,
  project: ProjectKey,
  by: UserId,
  reason: SkipReason | undefined,
): Promise<boolean> {
  const done = await changePostedCard(context, placeOf(context, channel, project), (card, at) => {
    const { skip: before, ...rest } = card;
    if (reason !== undefined) return { card: { ...rest, skip: { by, at, reason } }, outcome: true };
    return before ? { card: rest, outcome: true } : { outcome: true };
  });
  return done ?? false;
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

    claimProject: (channel, project, by) =>
      claimCard(context, placeOf(context, channel, project), by, withClaim),
    releaseProjectClaim: (channel, project, by, mayReleaseOthers) =>
      releaseCard(context, placeOf(context, channel, project), { by, mayReleaseOthers }, withoutClaim),
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
    postMoreCardsFromSummary: (flood, count, order = 'newest') =>
      postMoreCardsFromSummary(context, flood, count, order),
    stopChannelFeeds: (tx, channel, error, at) => stopChannelFeeds(context, tx, channel, error, at),

    readChannelSettings: (channel) =>
      context.store.read((tx) => readChannelSettings(tx, context.team, channel)),
    readFeedStatus: () => readFeedStatus(context),
  };
}
