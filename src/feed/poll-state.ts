/** What a poll goes by: the states of its filter and of the whole feed, and the filter's followers. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId, TeamId } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { NEW_FILTER_ARRIVAL_RATE } from './arrival-rate.ts';
import { isSubscriptionActive, readChannelSettings } from './channels.ts';
import type { NamedFilter } from './feed.ts';
import {
  type ChannelSettings,
  type FeedState,
  type FilterState,
  feedStates,
  filterStateKey,
  filterStates,
  type Subscription,
  subscriptions,
} from './records.ts';

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

function newFilterState(team: TeamId, filter: FilterId): FilterState {
  return { team, filter, marks: [], gaps: [], rate: { ...NEW_FILTER_ARRIVAL_RATE }, awaiting: [] };
}

/** With a default for a new one. */
export async function readFilterState(
  tx: ReadTransaction,
  team: TeamId,
  filter: FilterId,
): Promise<FilterState> {
  return (await tx.get(filterStates, filterStateKey(team, filter))) ?? newFilterState(team, filter);
}

/** With a default before the first poll. */
export async function readFeedState(tx: ReadTransaction, team: TeamId): Promise<FeedState> {
  return (await tx.get(feedStates, [team])) ?? { team, timestampUnit: 1 };
}

/** The subscriptions to a filter, or to all filters; includes stopped and paused ones. */
export async function listFollowers(
  tx: ReadTransaction,
  team: TeamId,
  filter?: FilterId,
): Promise<Follower[]> {
  const range =
    filter === undefined
      ? { prefix: [team] as const }
      : { index: 'byFilter', prefix: [team, filter] as const };
  const channels = new Map<ChannelId, ChannelSettings>();
  const found: Follower[] = [];
  for await (const { value: subscription } of scanCollection(tx, subscriptions, range)) {
    const { channel } = subscription;
    const settings = channels.get(channel) ?? (await readChannelSettings(tx, team, channel));
    channels.set(channel, settings);
    found.push({ subscription, settings });
  }
  return found;
}

export async function readPollState(tx: ReadTransaction, team: TeamId, filter: FilterId): Promise<PollState> {
  return {
    filter: await readFilterState(tx, team, filter),
    feed: await readFeedState(tx, team),
    followers: await listFollowers(tx, team, filter),
  };
}

/** The subscriptions that Gigdesk polls for. */
export function listActive(followers: readonly Follower[], at: Instant): Subscription[] {
  return followers.flatMap(({ subscription, settings }) =>
    isSubscriptionActive(subscription, settings, at) ? [subscription] : [],
  );
}

export function toNamedFilter(state: Pick<FilterState, 'filter' | 'name'>): NamedFilter {
  return { id: state.filter, ...omitUndefined({ name: state.name }) };
}
