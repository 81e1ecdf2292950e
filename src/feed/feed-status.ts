/** The state of the feed, for `/gig status` and for each subscription of a channel. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { getReservedFromBudget, MIN_PROJECTS_PAGE_SIZE } from '../credits/credits-service.ts';
import type { ChannelId, FilterId, ProjectKey } from '../ids.ts';
import type { SourceFailure } from '../sources/failure-rules.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { hasCardDetailsPost } from './card-details.ts';
import { listChannelSubscriptions } from './channel-changes.ts';
import { isChannelPaused, readChannelSettings } from './channels.ts';
import type { CardData, FeedContext, FeedStatus, FilterHealth, SubscriptionStatus } from './feed.ts';
import { withFilterVerdict } from './merge-project.ts';
import { readFeedState, readFilterState, toNamedFilter } from './poll-state.ts';
import {
  cardKey,
  cards,
  type FeedState,
  type FilterState,
  type Subscription,
  seenProjectKey,
  seenProjects,
  subscriptions,
} from './records.ts';

type ViewState = SubscriptionStatus['state'];

function failing({ code, since, retryAt }: SourceFailure): ViewState {
  return { kind: 'failing', code, since, retryAt };
}

async function stateOf(
  context: FeedContext,
  tx: ReadTransaction,
  subscription: Subscription,
  filter: FilterState,
  feed: FeedState,
  at: Instant,
): Promise<ViewState> {
  const { team, credits } = context;
  const { channel, stopped } = subscription;
  if (stopped) return { kind: 'stopped', error: stopped.error };
  const settings = await readChannelSettings(tx, team, channel);
  if (settings.paused && isChannelPaused(settings, at)) {
    const { by, until } = settings.paused;
    return { kind: 'paused', by, ...omitUndefined({ until }) };
  }
  if (feed.trouble) return failing(feed.trouble);
  if (filter.trouble) return failing(filter.trouble);
  const account = await credits.readAccountState(tx, at);
  if (account.spentSince !== undefined) {
    return { kind: 'failing', code: 'account-spent', since: account.spentSince };
  }
  const budget = await credits.readBudgetState(tx, channel, at);
  if (budget.available + getReservedFromBudget(budget) < MIN_PROJECTS_PAGE_SIZE)
    return { kind: 'out-of-budget' };
  // A filter that other channels followed before may not be read for this channel yet.
  const readAt = filter.lastGoodAt ?? 0;
  return readAt < subscription.createdAt ? { kind: 'starting' } : { kind: 'live' };
}

export function readSubscriptionStatuses(
  context: FeedContext,
  channel: ChannelId,
): Promise<readonly SubscriptionStatus[]> {
  const { store, team, clock } = context;
  return store.read(async (tx) => {
    const at = clock.now();
    const feed = await readFeedState(tx, team);
    const views: SubscriptionStatus[] = [];
    for (const subscription of await listChannelSubscriptions(tx, team, channel)) {
      const filter = await readFilterState(tx, team, subscription.filter);
      views.push({
        subscription,
        filter: toNamedFilter(filter),
        state: await stateOf(context, tx, subscription, filter, feed, at),
        ...lastPolls(filter),
      });
    }
    return views;
  });
}

function lastPolls({ lastPollAt, lastGoodAt }: FilterState): { lastPollAt?: Instant; lastGoodAt?: Instant } {
  return omitUndefined({ lastPollAt, lastGoodAt });
}

function shown(trouble: SourceFailure | undefined): Pick<FeedStatus, 'trouble'> {
  if (!trouble) return {};
  const { code, since, retryAt } = trouble;
  return { trouble: { code, since, retryAt } };
}

export function readFeedStatus(context: FeedContext): Promise<FeedStatus> {
  const { store, team } = context;
  return store.read(async (tx) => {
    const channels = new Map<FilterId, ChannelId[]>();
    for await (const { value } of scanCollection(tx, subscriptions, { prefix: [team] })) {
      channels.set(value.filter, [...(channels.get(value.filter) ?? []), value.channel]);
    }
    const health: FilterHealth[] = [];
    for (const [id, followers] of [...channels].sort(([a], [b]) => a - b)) {
      const state = await readFilterState(tx, team, id);
      health.push({
        filter: toNamedFilter(state),
        channels: followers,
        perHour: state.rate.perSecond * 3_600,
        gaps: state.gaps.length,
        ...lastPolls(state),
        ...shown(state.trouble),
      });
    }
    const { trouble } = await readFeedState(tx, team);
    return { filters: health, ...shown(trouble) };
  });
}

export async function readCardData(
  context: FeedContext,
  tx: ReadTransaction,
  channel: ChannelId,
  project: ProjectKey,
): Promise<CardData | undefined> {
  const { team } = context;
  const card = await tx.get(cards, cardKey(team, channel, project));
  const seen = await tx.get(seenProjects, seenProjectKey(team, project));
  if (!card || !seen) return undefined;
  const filters = [];
  for (const id of card.filters) filters.push(toNamedFilter(await readFilterState(tx, team, id)));
  const settings = await readChannelSettings(tx, team, channel);
  const below = await hasCardDetailsPost(tx, team, channel, project);
  const judged = { ...seen, project: withFilterVerdict(seen, card.filters) };
  return { card, seen: judged, filters, settings, ...(below ? { hasDetailsInThread: true } : {}) };
}
