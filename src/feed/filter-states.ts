/** Reading and beginning the records of a filter and of the feed as a whole. */
import type { FilterId, TeamId } from '../ids.ts';
import { type ReadTransaction, scan } from '../storage/store.ts';
import type { NamedFilter } from './feed.ts';
import { NEW_FILTER_RATE } from './rate.ts';
import {
  type FeedState,
  type FilterState,
  feedStates,
  filterKey,
  filters,
  type Subscription,
  subscriptions,
} from './records.ts';

function newFilterState(team: TeamId, filter: FilterId): FilterState {
  return { team, filter, marks: [], gaps: [], rate: { ...NEW_FILTER_RATE }, awaiting: [] };
}

export async function readFilterState(
  tx: ReadTransaction,
  team: TeamId,
  filter: FilterId,
): Promise<FilterState> {
  return (await tx.get(filters, filterKey(team, filter))) ?? newFilterState(team, filter);
}

export async function readFeedState(tx: ReadTransaction, team: TeamId): Promise<FeedState> {
  return (await tx.get(feedStates, [team])) ?? { team, timestampUnit: 1 };
}

/** Who follows a filter, stopped and paused ones included. */
export async function followersOf(
  tx: ReadTransaction,
  team: TeamId,
  filter: FilterId,
): Promise<Subscription[]> {
  const found: Subscription[] = [];
  for await (const { value } of scan(tx, subscriptions, { index: 'byFilter', prefix: [team, filter] })) {
    found.push(value);
  }
  return found;
}

export function namedFilter(state: Pick<FilterState, 'filter' | 'name'>): NamedFilter {
  return { id: state.filter, ...(state.name === undefined ? {} : { name: state.name }) };
}
