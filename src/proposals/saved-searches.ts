/** Searches that a person saved under a name, as typed: dates such as "last month" stay relative. */
import { z } from 'zod';
import type { Instant, RandomSource } from '../clock.ts';
import { randomId, TeamId, UserId } from '../ids.ts';
import { foldText } from '../query/words.ts';
import type { Collection, ReadTransaction, Transaction } from '../storage/store.ts';

/** A Slack menu has up to 100 options; nobody finds anything in that many. */
export const MAX_SAVED_SEARCHES = 25;
export const MAX_SAVED_SEARCH_NAME = 60;

const SavedSearch = z.object({
  team: TeamId,
  user: UserId,
  id: z.string(),
  name: z.string(),
  /** As typed: everyday words or the query language. */
  query: z.string(),
  at: z.number(),
});
export type SavedSearch = z.infer<typeof SavedSearch>;

/** Key: [team, user, id]. */
export const savedSearches: Collection<SavedSearch> = {
  name: 'saved-searches',
  schema: SavedSearch,
  indexes: {},
};

export type SearchOwner = Pick<SavedSearch, 'team' | 'user'>;

/** The person's searches, by name. */
export async function listSavedSearches(
  tx: ReadTransaction,
  { team, user }: SearchOwner,
): Promise<readonly SavedSearch[]> {
  const found = await tx.list(savedSearches, { prefix: [team, user], limit: MAX_SAVED_SEARCHES });
  return found.map(({ value }) => value).sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Upper and lower case and accents don't matter. */
export function findSearchByName(all: readonly SavedSearch[], name: string): SavedSearch | undefined {
  const sought = foldText(name);
  return sought === '' ? undefined : all.find((each) => foldText(each.name) === sought);
}

export type SaveSearchOutcome =
  | { readonly kind: 'saved' | 'replaced'; readonly search: SavedSearch }
  /** The person has `MAX_SAVED_SEARCHES` already. */
  | { readonly kind: 'full' };

/** Replaces the person's search of the same name. @param named a name that isn't empty, and a valid query */
export async function saveSearch(
  tx: Transaction,
  owner: SearchOwner,
  named: Pick<SavedSearch, 'name' | 'query'>,
  { at, random }: { readonly at: Instant; readonly random: RandomSource },
): Promise<SaveSearchOutcome> {
  const all = await listSavedSearches(tx, owner);
  const before = findSearchByName(all, named.name);
  if (!before && all.length >= MAX_SAVED_SEARCHES) return { kind: 'full' };
  const search = { ...owner, ...named, id: before?.id ?? randomId(random), at };
  await tx.put(savedSearches, [owner.team, owner.user, search.id], search);
  return { kind: before ? 'replaced' : 'saved', search };
}

/** @returns the deleted search; undefined if there was none. @param id input from outside */
export async function deleteSavedSearch(
  tx: Transaction,
  { team, user }: SearchOwner,
  id: string,
): Promise<SavedSearch | undefined> {
  const found = await tx.get(savedSearches, [team, user, id]);
  if (found) await tx.delete(savedSearches, [team, user, id]);
  return found;
}
