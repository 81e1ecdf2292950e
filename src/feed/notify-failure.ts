/** Stores failures and notifies each channel once about a failure and once about its end. */
import type { Instant } from '../clock.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import {
  escalateFailure,
  failureNoticeKey,
  getFailureRule,
  type SourceFailure,
  shouldNotifyFailure,
} from '../sources/failure-rules.ts';
import type { Transaction } from '../storage/store.ts';
import type { NamedFilter } from './feed.ts';
import { type Follower, listActive, listFollowers, type PollState, toNamedFilter } from './poll-state.ts';
import { feedStates, filterStates } from './records.ts';

/**
 * Notifies channels that don't know yet.
 * @param followers missing: those of all filters
 * @returns the failure with all notified channels
 */
async function notifyFeedFailure(
  tx: Transaction,
  trouble: SourceFailure,
  filter: NamedFilter | undefined,
  followers: readonly Follower[] | undefined,
  at: Instant,
): Promise<SourceFailure> {
  if (!shouldNotifyFailure(trouble, at)) return trouble;
  const notified = new Set(trouble.told);
  const matter = failureNoticeKey(trouble, filter ? String(filter.id) : 'all');
  const affected = followers ?? (await listFollowers(tx));
  const { code, since } = trouble;
  const filters = filter ? [filter] : [];
  for (const channel of new Set(listActive(affected, at).map((each) => each.channel))) {
    const notice = { about: 'feed-failing', code, since, filters } as const;
    await enqueueNotice(tx, { channel, matter, at, order: since }, notice);
    notified.add(channel);
  }
  return { ...trouble, told: [...notified] };
}

async function notifyFeedRecovered(
  tx: Transaction,
  trouble: SourceFailure,
  filter: NamedFilter | undefined,
  followers: readonly Follower[],
  at: Instant,
): Promise<void> {
  const matter = `feed-recovered:${filter ? filter.id : 'all'}:${trouble.since}`;
  const following = new Set(followers.map(({ subscription }) => subscription.channel));
  for (const channel of trouble.told ?? []) {
    if (!following.has(channel)) continue;
    await enqueueNotice(
      tx,
      // Before the projects found since then, which it announces.
      { channel, matter, at, order: trouble.since + 1 },
      { about: 'feed-recovered', since: trouble.since, filters: filter ? [filter] : [] },
    );
  }
}

/** A poll succeeded: ends failures of the filter and of the feed. */
export async function resolveFeedFailure(
  tx: Transaction,
  { filter, feed, followers }: PollState,
  at: Instant,
): Promise<Pick<PollState, 'filter' | 'feed'>> {
  if (filter.trouble) await notifyFeedRecovered(tx, filter.trouble, toNamedFilter(filter), followers, at);
  if (feed.trouble) await notifyFeedRecovered(tx, feed.trouble, undefined, await listFollowers(tx), at);
  return {
    filter: filter.trouble ? { ...filter, trouble: undefined } : filter,
    feed: feed.trouble ? { ...feed, trouble: undefined } : feed,
  };
}

/** A poll failed: stores the failure and notifies channels if due. */
export async function recordFeedFailure(
  tx: Transaction,
  { filter, feed, followers }: PollState,
  error: MarketplaceError,
  at: Instant,
): Promise<void> {
  const { concern } = getFailureRule(error.code);
  // A filter that keeps failing on its own must not stop the others.
  const everyone = concern === 'account' || (concern === 'either' && (feed.trouble || !filter.trouble));
  if (everyone) {
    const failure = escalateFailure(feed.trouble, error.code, at, error.details.retryAfterMs);
    const trouble = await notifyFeedFailure(tx, failure, undefined, undefined, at);
    await tx.put(feedStates, { ...feed, trouble });
  }
  if (concern === 'account') return;
  const own = escalateFailure(filter.trouble, error.code, at, error.details.retryAfterMs);
  const named = toNamedFilter(filter);
  const trouble = everyone ? own : await notifyFeedFailure(tx, own, named, followers, at);
  await tx.put(filterStates, { ...filter, trouble });
}
