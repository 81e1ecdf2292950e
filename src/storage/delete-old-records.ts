/** Clearing out old records, a few at a time. */
import type { Instant } from '../clock.ts';
import type { Collection, ListOptions, ReadTransaction, Transaction } from './store.ts';

export interface RetentionAge {
  /** Now, by the wall clock. */
  readonly at: Instant;
  /** Records that are older are cleared out. */
  readonly keptMs: number;
}

/** The moment before which records are old: by the wall clock, but never by one that is ahead. undefined: nothing is old. */
export function findRetentionCutoff(tx: ReadTransaction, { at, keptMs }: RetentionAge): Instant | undefined {
  const cutoff = Math.min(at, tx.trustedNow()) - keptMs;
  return Number.isFinite(cutoff) ? cutoff : undefined;
}

interface Older<T> extends RetentionAge, Pick<ListOptions, 'index' | 'prefix'> {
  /** More than there are added meanwhile, so that the old run out. */
  readonly limit: number;
  /** One that is not to go yet; it is looked at again each time. */
  readonly keeps?: (value: T) => boolean;
}

/**
 * Deletes the oldest records of a collection, `limit` at the most, in an order (of its keys, or of `index`) that goes by age
 * behind the prefix. Called with each record that is added, it bounds what is stored without a run that takes long.
 */
export async function deleteOldRecords<T>(
  tx: Transaction,
  collection: Collection<T>,
  { index, prefix, limit, keeps, ...age }: Older<T>,
): Promise<void> {
  const before = findRetentionCutoff(tx, age);
  if (before === undefined) return;
  const oldest = { ...(index === undefined ? {} : { index }), prefix, to: [before], limit };
  for (const { key, value } of await tx.list(collection, oldest))
    if (!keeps?.(value)) await tx.delete(collection, key);
}
