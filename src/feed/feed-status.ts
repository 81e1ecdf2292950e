/** The state of the feed, for `/gig status` and for each subscription of a channel. */
import type { Instant } from '../clock.ts';
import type { CreditsView } from '../credits/create-credits.ts';
import { getReservedFromBudget, MIN_PROJECTS_PAGE_SIZE } from '../credits/credits.ts';
import type { ChannelId, FilterId, ProjectKey } from '../ids.ts';
import { listAllValues, type ReadTransaction } from '../storage/store.ts';
import { hasCardDetailsPost } from './card-details.ts';
import { isChannelPaused, listChannelSubscriptions, readChannelSettings } from './channels.ts';
import type { CardData, FeedContext, FeedStatus, FilterHealth, SubscriptionStatus } from './feed.ts';
import { readCard, readSeenProject } from './find-project.ts';
import { withFilterVerdict } from './merge-project.ts';
import { readFeedState, readFilterStates, toNamedFilter } from './poll-state.ts';
import {
  type ChannelSettings,
  type FeedState,
  type FilterState,
  type Subscription,
  subscriptions,
} from './records.ts';

interface ChannelFacts {
  readonly feed: FeedState;
  readonly settings: ChannelSettings;
  readonly credits: CreditsView;
  readonly at: Instant;
}

function stateOf(
  { channel, stopped, createdAt }: Subscription,
  filter: FilterState,
  { feed, settings, credits, at }: ChannelFacts,
): SubscriptionStatus['state'] {
  if (stopped) return { kind: 'stopped', error: stopped.error };
  if (settings.paused && isChannelPaused(settings, at)) {
    const { by, until } = settings.paused;
    return { kind: 'paused', by, until };
  }
  const trouble = feed.trouble ?? filter.trouble;
  if (trouble) return { kind: 'failing', code: trouble.code, since: trouble.since, retryAt: trouble.retryAt };
  const account = credits.readAccountState();
  if (account.spentSince !== undefined)
    return { kind: 'failing', code: 'account-spent', since: account.spentSince };
  const budget = credits.readBudgetState(channel);
  if (budget.available + getReservedFromBudget(budget) < MIN_PROJECTS_PAGE_SIZE)
    return { kind: 'out-of-budget' };
  // A filter that other channels followed before may not be read for this channel yet.
  const readAt = filter.lastGoodAt ?? 0;
  return readAt < createdAt ? { kind: 'starting' } : { kind: 'live' };
}

async function readFollowed(tx: ReadTransaction, channel: ChannelId) {
  const followed = await listChannelSubscriptions(tx, channel);
  const filters = await readFilterStates(
    tx,
    followed.map((each) => each.filter),
  );
  return filters.flatMap((filter, place) => {
    const subscription = followed[place];
    return subscription ? [{ subscription, filter }] : [];
  });
}

export function readSubscriptionStatuses(
  context: FeedContext,
  channel: ChannelId,
): Promise<readonly SubscriptionStatus[]> {
  const { store, clock, credits } = context;
  return store.read(async (tx) => {
    const at = clock.now();
    const followed = await readFollowed(tx, channel);
    if (followed.length === 0) return [];
    const facts = {
      feed: await readFeedState(tx),
      settings: await readChannelSettings(tx, channel),
      credits: await credits.readCredits(tx, at),
      at,
    };
    return followed.map(({ subscription, filter }) => {
      const state = stateOf(subscription, filter, facts);
      return { subscription, filter: toNamedFilter(filter), state, ...lastPolls(filter) };
    });
  });
}

/** A channel's subscriptions with their filters' names, stopped or not. */
export async function listNamedSubscriptions(tx: ReadTransaction, channel: ChannelId) {
  const followed = await readFollowed(tx, channel);
  return followed.map(({ subscription, filter }) => ({ subscription, filter: toNamedFilter(filter) }));
}

function lastPolls({ lastPollAt, lastGoodAt }: FilterState) {
  return { lastPollAt, lastGoodAt };
}

export function readFeedStatus({ store }: FeedContext): Promise<FeedStatus> {
  return store.read(async (tx) => {
    const channels = new Map<FilterId, ChannelId[]>();
    for (const { filter, channel } of await listAllValues(tx, subscriptions))
      channels.set(filter, [...(channels.get(filter) ?? []), channel]);
    const health: FilterHealth[] = [];
    const ids = [...channels.keys()].sort((a, b) => a - b);
    for (const state of await readFilterStates(tx, ids)) {
      health.push({
        filter: toNamedFilter(state),
        channels: channels.get(state.filter) ?? [],
        perHour: state.rate.perSecond * 3_600,
        gaps: state.gaps.filter(({ left }) => left === undefined).length,
        ...lastPolls(state),
        trouble: state.trouble,
      });
    }
    const { trouble } = await readFeedState(tx);
    return { filters: health, trouble };
  });
}

/** For rendering a card, inside delivery's transaction. */
export async function readCardData(
  tx: ReadTransaction,
  channel: ChannelId,
  project: ProjectKey,
): Promise<CardData | undefined> {
  const card = await readCard(tx, channel, project);
  const seen = await readSeenProject(tx, project);
  if (!card || !seen) return undefined;
  const filters = (await readFilterStates(tx, card.passed ?? card.filters)).map(toNamedFilter);
  const settings = await readChannelSettings(tx, channel);
  const below = await hasCardDetailsPost(tx, channel, project);
  const judged = { ...seen, project: withFilterVerdict(seen, card.filters) };
  return { card, seen: judged, filters, settings, hasDetailsInThread: below ? true : undefined };
}
