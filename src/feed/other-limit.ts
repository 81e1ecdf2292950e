/** After the server refused a page size: the one that is left to try goes on record. */
import type { FilterId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import type { FeedContext } from './context.ts';
import { readFilterState } from './filter-states.ts';
import { limitAfter } from './limit-refusals.ts';
import { filterKey, filters } from './records.ts';

/** @returns whether another page size is left to try. */
export async function tryOtherLimit(
  { team }: FeedContext,
  tx: Transaction,
  filter: FilterId,
): Promise<boolean> {
  const state = await readFilterState(tx, team, filter);
  const onlyLimit = limitAfter(state.onlyLimit);
  if (onlyLimit === undefined) return false;
  await tx.put(filters, filterKey(team, filter), { ...state, onlyLimit });
  return true;
}
