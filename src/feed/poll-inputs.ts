/** The poll plan's inputs for every followed filter, and how far behind each filter is. */
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId } from '../ids.ts';
import { getRetryTime } from '../sources/failure-rules.ts';
import { listAllValues, type ReadTransaction, readWhenChanged } from '../storage/store.ts';
import { findOldestBackfillSubscription } from './backfill.ts';
import { findPauseEnd } from './channels.ts';
import type { FeedContext } from './feed.ts';
import { NEW_FILTER_ARRIVAL_RATE, type PollCandidate } from './poll-plan.ts';
import { type Follower, listActive, listFollowers, readFeedState, readFilterStates } from './poll-state.ts';
import { computeLateCheckIntervalMs, findNextLateCheckTime } from './read-filter.ts';
import {
  channelSettings,
  type FeedState,
  type FilterState,
  feedStates,
  filterStates,
  type Subscription,
  subscriptions,
} from './records.ts';
import { findNextVerdictCheckTime } from './verdict-checks.ts';

export interface PollInputs {
  readonly candidates: readonly PollCandidate[];
  readonly feed: FeedState;
  /** Channels with a subscription, and the earliest end of their pauses. */
  readonly channels: readonly ChannelId[];
  readonly pauseEndsAt?: Instant;
}

function toCandidate(
  filter: FilterId,
  state: Pick<FilterState, 'rate'> & Partial<FilterState>,
  followers: readonly Subscription[],
  now: { readonly at: Instant; readonly filters: number; readonly readsPerMinute: number },
): PollCandidate {
  const { at, filters, readsPerMinute } = now;
  const gap = state.gaps?.at(-1);
  const backfill = gap ? undefined : findOldestBackfillSubscription(followers)?.backfill;
  const lateEveryMs = computeLateCheckIntervalMs(state.rate.perSecond, filters, readsPerMinute);
  return {
    filter,
    rate: state.rate.perSecond,
    lastTopAt: state.lastTopAt,
    lastReadAt: state.lastPollAt,
    olderSince: gap ? gap.foundAt : backfill?.askedAt,
    olderIsBackfill: backfill && true,
    olderBegins: (backfill && backfill.cursor === undefined) || undefined,
    verdictsDueAt: findNextVerdictCheckTime(state.awaiting ?? []),
    lateDueAt: findNextLateCheckTime(state, at, lateEveryMs),
    notBefore: state.trouble && getRetryTime(state.trouble, at),
  };
}

function groupActiveByFilter(followers: readonly Follower[], at: Instant): Map<FilterId, Subscription[]> {
  const active = new Map<FilterId, Subscription[]>();
  for (const subscription of listActive(followers, at))
    active.set(subscription.filter, [...(active.get(subscription.filter) ?? []), subscription]);
  return active;
}

/**
 * Returns a function that reads only what has changed since its last call.
 * @param readsPerMinute of all filters together, now
 */
export function createPollInputsReader(
  { store, clock }: Pick<FeedContext, 'store' | 'clock'>,
  readsPerMinute: () => number,
): () => Promise<PollInputs> {
  const readFollowers = readWhenChanged(store, [subscriptions, channelSettings], (tx) => listFollowers(tx));
  const readFeed = readWhenChanged(store, [feedStates], readFeedState);
  const readFilters = readWhenChanged(store, [filterStates], async (tx) => {
    const states = await listAllValues(tx, filterStates);
    return new Map<FilterId, FilterState>(states.map((state) => [state.filter, state]));
  });
  return async () => {
    const followers = await readFollowers();
    const feed = await readFeed();
    const states = await readFilters();
    const at = clock.now();
    const active = groupActiveByFilter(followers, at);
    const now = { at, filters: active.size, readsPerMinute: readsPerMinute() };
    const ends = followers.flatMap(({ settings }) => findPauseEnd(settings, at) ?? []);
    return {
      candidates: [...active].map(([filter, its]) =>
        toCandidate(filter, states.get(filter) ?? { rate: NEW_FILTER_ARRIVAL_RATE }, its, now),
      ),
      feed,
      channels: [...new Set(followers.map(({ subscription }) => subscription.channel))],
      pauseEndsAt: ends.length > 0 ? Math.min(...ends) : undefined,
    };
  };
}

/**
 * Since the last successful read, or since the first current follower subscribed. Includes filters with a
 * follower that is neither paused nor stopped. If no channel can pay, the lag grows on purpose.
 */
export async function readFilterLags(tx: ReadTransaction, at: Instant) {
  const active = groupActiveByFilter(await listFollowers(tx), at);
  const feed = await readFeedState(tx);
  return (await readFilterStates(tx, [...active.keys()])).map(({ filter, lastGoodAt, trouble }) => {
    const since = Math.min(...(active.get(filter) ?? []).map(({ createdAt }) => createdAt));
    return {
      filter,
      lagMs: Math.max(0, at - Math.max(lastGoodAt ?? 0, since)),
      isFailing: feed.trouble !== undefined || trouble !== undefined,
    };
  });
}
