/** Deletes old records, a few at a time. */
import type { Instant } from '../clock.ts';
import type { Collection, ListOptions, ReadTransaction, Transaction } from './store.ts';

export interface RetentionAge {
  /** Now, by the wall clock. */
  readonly at: Instant;
  /** Older records are deleted. */
  readonly keptMs: number;
}

/**
 * Records from before this moment are old. Uses the wall clock, but never one that runs ahead. undefined:
 * nothing is old.
 */
export function findRetentionCutoff(tx: ReadTransaction, { at, keptMs }: RetentionAge): Instant | undefined {
  const cutoff = Math.min(at, tx.trustedNow()) - keptMs;
  return Number.isFinite(cutoff) ? cutoff : undefined;
}

interface Older<T> extends RetentionAge, Pick<ListOptions, 'index' | 'prefix'> {
  /** More than are added between two calls, so that old records run out. */
  readonly limit: number;
  /** Whether an old record stays for now; each call checks it again. */
  readonly keeps?: (value: T) => boolean;
}

/**
 * Deletes at most `limit` of the oldest records. The order (of the keys, or of `index`) goes by age after the
 * prefix. Called with each added record, it bounds the storage without a long run.
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
