/** Reads the state of a filter and of the whole feed, with defaults for new ones. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { FilterId, TeamId } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { NEW_FILTER_ARRIVAL_RATE } from './arrival-rate.ts';
import type { NamedFilter } from './feed.ts';
import {
  type FeedState,
  type FilterState,
  feedStates,
  filterStateKey,
  filterStates,
  type Subscription,
  subscriptions,
} from './records.ts';

function newFilterState(team: TeamId, filter: FilterId): FilterState {
  return { team, filter, marks: [], gaps: [], rate: { ...NEW_FILTER_ARRIVAL_RATE }, awaiting: [] };
}

export async function readFilterState(
  tx: ReadTransaction,
  team: TeamId,
  filter: FilterId,
): Promise<FilterState> {
  return (await tx.get(filterStates, filterStateKey(team, filter))) ?? newFilterState(team, filter);
}

export async function readFeedState(tx: ReadTransaction, team: TeamId): Promise<FeedState> {
  return (await tx.get(feedStates, [team])) ?? { team, timestampUnit: 1 };
}

/** Includes stopped and paused subscriptions. */
export async function listFilterFollowers(
  tx: ReadTransaction,
  team: TeamId,
  filter: FilterId,
): Promise<Subscription[]> {
  const found: Subscription[] = [];
  for await (const { value } of scanCollection(tx, subscriptions, {
    index: 'byFilter',
    prefix: [team, filter],
  })) {
    found.push(value);
  }
  return found;
}

export function toNamedFilter(state: Pick<FilterState, 'filter' | 'name'>): NamedFilter {
  return { id: state.filter, ...omitUndefined({ name: state.name }) };
}
