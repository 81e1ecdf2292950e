/** How the feed is: for the status, and for each subscription of a channel. */
import type { Instant } from '../clock.ts';
import { heldOf, SMALLEST_PAGE } from '../credits/book.ts';
import type { ChannelId, FilterId, ProjectKey } from '../ids.ts';
import { type ReadTransaction, scan } from '../storage/store.ts';
import { areDetailsBelow } from './card-details.ts';
import { subscriptionsOf } from './channel-changes.ts';
import { isPaused, readSettings } from './channels.ts';
import type { FeedContext } from './context.ts';
import type { CardView, FeedHealth, FeedStatus, SubscriptionView } from './feed.ts';
import { namedFilter, readFeedState, readFilterState } from './filter-states.ts';
import { asJudgedBy } from './filter-verdicts.ts';
import {
  cardKey,
  cards,
  type FeedState,
  type FilterState,
  projectRecordKey,
  type Subscription,
  seenProjects,
  subscriptions,
  type Trouble,
} from './records.ts';

type ViewState = SubscriptionView['state'];

function failing({ code, since, retryAt }: Trouble): ViewState {
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
  const settings = await readSettings(tx, team, channel);
  if (settings.paused && isPaused(settings, at)) {
    const { by, until } = settings.paused;
    return { kind: 'paused', by, ...(until === undefined ? {} : { until }) };
  }
  if (feed.trouble) return failing(feed.trouble);
  if (filter.trouble) return failing(filter.trouble);
  const account = await credits.account(tx, at);
  if (account.spentSince !== undefined) {
    return { kind: 'failing', code: 'account-spent', since: account.spentSince };
  }
  const budget = await credits.budget(tx, channel, at);
  if (budget.available + heldOf(budget) < SMALLEST_PAGE) return { kind: 'out-of-budget' };
  // A filter that others followed before is not yet read for this channel, either.
  const readAt = filter.lastGoodAt ?? 0;
  return readAt < subscription.createdAt ? { kind: 'starting' } : { kind: 'live' };
}

export function viewSubscriptions(
  context: FeedContext,
  channel: ChannelId,
): Promise<readonly SubscriptionView[]> {
  const { store, team, clock } = context;
  return store.read(async (tx) => {
    const at = clock.now();
    const feed = await readFeedState(tx, team);
    const views: SubscriptionView[] = [];
    for (const subscription of await subscriptionsOf(tx, team, channel)) {
      const filter = await readFilterState(tx, team, subscription.filter);
      views.push({
        subscription,
        filter: namedFilter(filter),
        state: await stateOf(context, tx, subscription, filter, feed, at),
        ...lastPolls(filter),
      });
    }
    return views;
  });
}

function lastPolls({ lastPollAt, lastGoodAt }: FilterState): { lastPollAt?: Instant; lastGoodAt?: Instant } {
  return {
    ...(lastPollAt === undefined ? {} : { lastPollAt }),
    ...(lastGoodAt === undefined ? {} : { lastGoodAt }),
  };
}

function shown(trouble: Trouble | undefined): Pick<FeedStatus, 'trouble'> {
  if (!trouble) return {};
  const { code, since, retryAt } = trouble;
  return { trouble: { code, since, retryAt } };
}

export function feedStatus(context: FeedContext): Promise<FeedStatus> {
  const { store, team } = context;
  return store.read(async (tx) => {
    const channels = new Map<FilterId, ChannelId[]>();
    for await (const { value } of scan(tx, subscriptions, { prefix: [team] })) {
      channels.set(value.filter, [...(channels.get(value.filter) ?? []), value.channel]);
    }
    const health: FeedHealth[] = [];
    for (const [id, followers] of [...channels].sort(([a], [b]) => a - b)) {
      const state = await readFilterState(tx, team, id);
      health.push({
        filter: namedFilter(state),
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

export async function viewCard(
  context: FeedContext,
  tx: ReadTransaction,
  channel: ChannelId,
  project: ProjectKey,
): Promise<CardView | undefined> {
  const { team } = context;
  const card = await tx.get(cards, cardKey(team, channel, project));
  const seen = await tx.get(seenProjects, projectRecordKey(team, project));
  if (!card || !seen) return undefined;
  const filters = [];
  for (const id of card.filters) filters.push(namedFilter(await readFilterState(tx, team, id)));
  const settings = await readSettings(tx, team, channel);
  const below = await areDetailsBelow(tx, team, channel, project);
  const judged = { ...seen, project: asJudgedBy(seen, card.filters) };
  return { card, seen: judged, filters, settings, ...(below ? { detailsBelow: true } : {}) };
}
