/** Stores failures and notifies each channel once about a failure and once about its end. */
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId } from '../ids.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import { scanCollection, type Transaction } from '../storage/store.ts';
import { isSubscriptionActive, readChannelSettings } from './channels.ts';
import type { FeedContext } from './context.ts';
import {
  escalateFeedFailure,
  failureNoticeKey,
  getFailureRule,
  shouldNotifyFailure,
} from './failure-rules.ts';
import type { NamedFilter } from './feed.ts';
import { listFilterFollowers, readFeedState, readFilterState, toNamedFilter } from './filter-states.ts';
import {
  type FeedFailure,
  type FeedState,
  type FilterState,
  feedStates,
  filterStateKey,
  filterStates,
  type Subscription,
  subscriptions,
} from './records.ts';

/** Subscriptions of one filter, or of all. */
async function listAffectedSubscriptions(
  { team }: FeedContext,
  tx: Transaction,
  filter: FilterId | undefined,
): Promise<readonly Subscription[]> {
  if (filter !== undefined) return listFilterFollowers(tx, team, filter);
  const followers: Subscription[] = [];
  for await (const { value } of scanCollection(tx, subscriptions, { prefix: [team] })) followers.push(value);
  return followers;
}

async function listChannelsToNotify(
  context: FeedContext,
  tx: Transaction,
  filter: FilterId | undefined,
  at: Instant,
): Promise<ChannelId[]> {
  const { team } = context;
  const channels = new Set<ChannelId>();
  for (const each of await listAffectedSubscriptions(context, tx, filter)) {
    if (isSubscriptionActive(each, await readChannelSettings(tx, team, each.channel), at))
      channels.add(each.channel);
  }
  return [...channels];
}

/** Notifies channels that don't know yet. @returns the failure with all notified channels */
async function notifyFeedFailure(
  context: FeedContext,
  tx: Transaction,
  trouble: FeedFailure,
  filter: NamedFilter | undefined,
  at: Instant,
): Promise<FeedFailure> {
  if (!shouldNotifyFailure(trouble, at)) return trouble;
  const told = new Set(trouble.told);
  const matter = failureNoticeKey(trouble, filter ? String(filter.id) : 'all');
  for (const channel of await listChannelsToNotify(context, tx, filter?.id, at)) {
    await enqueueNotice(
      tx,
      { team: context.team, channel, matter, at, order: trouble.since },
      {
        about: 'feed-failing',
        code: trouble.code,
        since: trouble.since,
        filters: filter ? [filter] : [],
      },
    );
    told.add(channel);
  }
  return { ...trouble, told: [...told] };
}

async function notifyFeedRecovered(
  context: FeedContext,
  tx: Transaction,
  trouble: FeedFailure,
  filter: NamedFilter | undefined,
  at: Instant,
): Promise<void> {
  const matter = `feed-recovered:${filter ? filter.id : 'all'}:${trouble.since}`;
  const following = new Set(
    (await listAffectedSubscriptions(context, tx, filter?.id)).map(({ channel }) => channel),
  );
  for (const channel of trouble.told ?? []) {
    if (!following.has(channel)) continue;
    await enqueueNotice(
      tx,
      // Before the projects found since then, which it announces.
      { team: context.team, channel, matter, at, order: trouble.since + 1 },
      { about: 'feed-recovered', since: trouble.since, filters: filter ? [filter] : [] },
    );
  }
}

/** A poll succeeded: ends failures of the filter and of the feed. */
export async function resolveFeedFailure(
  context: FeedContext,
  tx: Transaction,
  filter: FilterState,
  feed: FeedState,
  at: Instant,
): Promise<{ readonly filter: FilterState; readonly feed: FeedState }> {
  const { trouble: ofFilter, ...healthy } = filter;
  const { trouble: ofFeed, ...calm } = feed;
  if (ofFilter) await notifyFeedRecovered(context, tx, ofFilter, toNamedFilter(filter), at);
  if (ofFeed) await notifyFeedRecovered(context, tx, ofFeed, undefined, at);
  return { filter: ofFilter ? healthy : filter, feed: ofFeed ? calm : feed };
}

/** A poll failed: stores the failure and notifies channels if due. */
export async function recordFeedFailure(
  context: FeedContext,
  tx: Transaction,
  id: FilterId,
  error: MarketplaceError,
  at: Instant,
): Promise<void> {
  const { team } = context;
  const { concern } = getFailureRule(error.code);
  const filter = await readFilterState(tx, team, id);
  const feed = await readFeedState(tx, team);
  // A filter that keeps failing on its own must not stop the others.
  const everyone = concern === 'account' || (concern === 'either' && (feed.trouble || !filter.trouble));
  if (everyone) {
    const trouble = escalateFeedFailure(feed.trouble, error.code, at, error.details.retryAfterMs);
    await tx.put(feedStates, [team], {
      ...feed,
      trouble: await notifyFeedFailure(context, tx, trouble, undefined, at),
    });
  }
  if (concern === 'account') return;
  const own = escalateFeedFailure(filter.trouble, error.code, at, error.details.retryAfterMs);
  const trouble = everyone ? own : await notifyFeedFailure(context, tx, own, toNamedFilter(filter), at);
  await tx.put(filterStates, filterStateKey(team, id), { ...filter, trouble });
}
