/** Letting go of old records, a few at a time. */
import type { Collection, ListOptions, Transaction } from './store.ts';

interface Older<T> extends Pick<ListOptions, 'index' | 'prefix'> {
  /** The first part behind the prefix, excluded: the moment from which on records stay. */
  readonly before: number;
  /** More than there are added meanwhile, so that the old run out. */
  readonly limit: number;
  /** One that is not to go yet; it is looked at again each time. */
  readonly keeps?: (value: T) => boolean;
}

/**
 * Deletes the oldest records of a collection, `limit` at the most, in an order (of its keys, or of `index`) that goes by age
 * behind the prefix. Called with each record that is added, it bounds what is stored without a run that takes long.
 */
export async function clearOlder<T>(
  tx: Transaction,
  collection: Collection<T>,
  { index, prefix, before, limit, keeps }: Older<T>,
): Promise<void> {
  const oldest = { ...(index === undefined ? {} : { index }), prefix, to: [before], limit };
  for (const { key, value } of await tx.list(collection, oldest))
    if (!keeps?.(value)) await tx.delete(collection, key);
}
