/** Deletes records that are older than their collection keeps them, in small transactions. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Instant } from '../clock.ts';
import type { Collection, ListPosition, ReadTransaction, Store, StoredEntry, Transaction } from './store.ts';

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

/** Per transaction, which delays other writers. */
const AT_ONCE = 100;

/** Deletes an old record with what belongs to it, or leaves it. `before`: older than this is old. */
export type DeleteOld<T> = (tx: Transaction, entry: StoredEntry<T>, before: Instant) => Promise<unknown>;

/**
 * Deletes a collection's records that are older than its `keepFor`, until none is left or `signal` aborts.
 * @param deleteOld decides about each; otherwise all go that `keepFor.keeps` doesn't keep
 * @throws StorageError
 */
export async function deleteOldRecords<T>(
  store: Store,
  collection: Collection<T>,
  at: Instant,
  signal: AbortSignal,
  deleteOld?: DeleteOld<T>,
): Promise<void> {
  const { keepFor, indexes } = collection;
  if (!keepFor) return;
  const index = 'byAge' in indexes ? 'byAge' : undefined;
  let after: ListPosition | undefined;
  do {
    const behind = after;
    after = await store.transact(async (tx) => {
      const before = findRetentionCutoff(tx, { at, keptMs: keepFor.ms });
      if (before === undefined) return undefined;
      const entries = await tx.list(collection, { index, to: [before], limit: AT_ONCE, after: behind });
      for (const entry of entries) {
        if (deleteOld) await deleteOld(tx, entry, before);
        else if (!keepFor.keeps?.(entry.value)) await tx.delete(collection, entry.key);
      }
      return entries.length < AT_ONCE ? undefined : entries.at(-1)?.position;
    });
    if (after) await nextTurn();
  } while (after && !signal.aborted);
}
