/** Deletes old records: a few with each new one, or all in small transactions. */
import type { Instant } from '../clock.ts';
import type { Collection, ListOptions, ListPosition, ReadTransaction, Store, Transaction } from './store.ts';

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

const CLEARED_AT_ONCE = 5;

interface Older<T> extends RetentionAge, Pick<ListOptions, 'index' | 'prefix'> {
  /** More than are added between two calls, so that old records run out; 5 when missing. */
  readonly limit?: number;
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
  { index, prefix, limit = CLEARED_AT_ONCE, keeps, ...age }: Older<T>,
): Promise<void> {
  const before = findRetentionCutoff(tx, age);
  if (before === undefined) return;
  const oldest = { index, prefix, to: [before], limit };
  for (const { key, value } of await tx.list(collection, oldest))
    if (!keeps?.(value)) await tx.delete(collection, key);
}

/** Per transaction, which delays other writers. */
const SWEPT_AT_ONCE = 100;

interface EachOlder<T> extends RetentionAge {
  /** Swept by its index `byAge`. */
  readonly collection: Collection<T>;
  /** Deletes a record or leaves it; called once for each. `before` is the cutoff. */
  readonly clear: (tx: Transaction, value: T, before: Instant) => Promise<void>;
}

/** Calls `clear` for each old record, until none is left or `signal` aborts. @throws StorageError */
export async function clearEachOldRecord<T>(
  store: Store,
  { collection, clear, ...age }: EachOlder<T>,
  signal: AbortSignal,
): Promise<void> {
  let after: ListPosition | undefined;
  do {
    const from = after;
    after = await store.transact(async (tx) => {
      const before = findRetentionCutoff(tx, age);
      if (before === undefined) return undefined;
      const range = { index: 'byAge', to: [before], limit: SWEPT_AT_ONCE };
      const entries = await tx.list(collection, from ? { ...range, after: from } : range);
      for (const { value } of entries) await clear(tx, value, before);
      return entries.length < SWEPT_AT_ONCE ? undefined : entries.at(-1)?.position;
    });
  } while (after && !signal.aborted);
}
