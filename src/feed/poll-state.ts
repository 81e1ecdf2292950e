/** What a poll goes by: the states of its filter and of the whole feed, and the filter's followers. */
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId } from '../ids.ts';
import { listAllValues, type ReadTransaction, type Transaction } from '../storage/store.ts';
import { isSubscriptionActive, listChannelSubscriptions } from './channels.ts';
import type { NamedFilter } from './feed.ts';
import { NEW_FILTER_ARRIVAL_RATE } from './poll-plan.ts';
import {
  type ChannelSettings,
  channelSettings,
  defaultChannelSettings,
  type FeedState,
  type FilterState,
  feedStates,
  filterStates,
  type Subscription,
  subscriptions,
  type Watermark,
} from './records.ts';
import { getLastElapsedTimestamp, inferTimestampUnit, timestampToInstant } from './timestamps.ts';

export interface Follower {
  readonly subscription: Subscription;
  readonly settings: ChannelSettings;
}

/** Read once per transaction, and passed on. */
export interface PollState {
  readonly filter: FilterState;
  readonly feed: FeedState;
  /** Includes stopped and paused subscriptions. */
  readonly followers: readonly Follower[];
}

function newFilterState(filter: FilterId): FilterState {
  return { filter, marks: [], gaps: [], rate: { ...NEW_FILTER_ARRIVAL_RATE }, awaiting: [] };
}

/** With a default for a new one. */
export async function readFilterState(tx: ReadTransaction, filter: FilterId): Promise<FilterState> {
  return (await tx.get(filterStates, [filter])) ?? newFilterState(filter);
}

/** In the order of `filters`. */
export async function readFilterStates(tx: ReadTransaction, filters: readonly FilterId[]) {
  const keys = filters.map((filter) => [filter] as const);
  const stored = await tx.getMany(filterStates, keys);
  return filters.map((filter, place) => stored[place] ?? newFilterState(filter));
}

/** With a default before the first poll. */
export async function readFeedState(tx: ReadTransaction): Promise<FeedState> {
  return (await tx.get(feedStates, [])) ?? { timestampUnit: 1 };
}

/** The subscriptions to a filter, or to all filters; includes stopped and paused ones. */
export async function listFollowers(tx: ReadTransaction, filter?: FilterId): Promise<Follower[]> {
  const range = filter === undefined ? {} : { index: 'byFilter', prefix: [filter] as const };
  const found = await listAllValues(tx, subscriptions, range);
  const channels = [...new Set(found.map(({ channel }) => channel))];
  const keys = channels.map((channel) => [channel]);
  const stored = await tx.getMany(channelSettings, keys);
  const settings = new Map(channels.map((channel, place) => [channel, stored[place]]));
  return found.map((subscription) => {
    const { channel } = subscription;
    return { subscription, settings: settings.get(channel) ?? defaultChannelSettings(channel) };
  });
}

export async function readPollState(tx: ReadTransaction, filter: FilterId): Promise<PollState> {
  return {
    filter: await readFilterState(tx, filter),
    feed: await readFeedState(tx),
    followers: await listFollowers(tx, filter),
  };
}

/** The subscriptions that Gigdesk polls for. */
export function listActive(followers: readonly Follower[], at: Instant): Subscription[] {
  return followers.flatMap(({ subscription, settings }) =>
    isSubscriptionActive(subscription, settings, at) ? [subscription] : [],
  );
}

export function toNamedFilter({ filter: id, name }: Pick<FilterState, 'filter' | 'name'>): NamedFilter {
  return { id, name };
}

/** The filters whose projects some of these channels get, by ID; without stopped subscriptions. */
export async function listFiltersOfChannels(tx: ReadTransaction, channels: Iterable<ChannelId>) {
  const filters = new Set<FilterId>();
  for (const channel of channels)
    for (const { stopped, filter } of await listChannelSubscriptions(tx, channel))
      if (!stopped) filters.add(filter);
  const inOrder = [...filters].sort((a, b) => a - b);
  return (await readFilterStates(tx, inOrder)).map(toNamedFilter);
}

/** The followers, whose start times in the future are stored as now. */
export async function clampStartsToNow(tx: Transaction, followers: readonly Follower[], at: Instant) {
  const clamped: Follower[] = [];
  for (const { subscription: each, settings } of followers) {
    const { startsAt, createdAt } = each;
    const isAhead = startsAt > at || createdAt > at;
    const subscription = isAhead
      ? { ...each, startsAt: Math.min(startsAt, at), createdAt: Math.min(createdAt, at) }
      : each;
    if (isAhead) await tx.put(subscriptions, subscription);
    clamped.push({ subscription, settings });
  }
  return clamped;
}

/** The watermarks without future times: a future one would skip all projects until then. */
export function clampWatermarksToNow(marks: readonly Watermark[], at: Instant): Watermark[] {
  return marks.map((mark) =>
    timestampToInstant(mark.ts) > at
      ? { ...mark, ts: getLastElapsedTimestamp(at, inferTimestampUnit(mark.ts)) }
      : mark,
  );
}
