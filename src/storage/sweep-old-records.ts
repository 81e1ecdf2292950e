/** Goes through all old records in small transactions, oldest first. */
import type { Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { findRetentionCutoff, type RetentionAge } from './delete-old-records.ts';
import type { Collection, ListPosition, Store, Transaction } from './store.ts';

/** Per transaction, which delays other writers. */
const BATCH = 100;

interface Older<T> extends RetentionAge {
  /** Swept by its index `byAge`. */
  readonly collection: Collection<T>;
  readonly team: TeamId;
  /** Deletes a record or leaves it; called once for each. `before` is the cutoff. */
  readonly clear: (tx: Transaction, value: T, before: Instant) => Promise<void>;
}

/** Calls `clear` for each old record, until none is left or `signal` aborts. @throws StorageError */
export async function clearEachOldRecord<T>(
  store: Store,
  { collection, team, clear, ...age }: Older<T>,
  signal: AbortSignal,
): Promise<void> {
  let after: ListPosition | undefined;
  do {
    const from = after;
    after = await store.transact(async (tx) => {
      const before = findRetentionCutoff(tx, age);
      if (before === undefined) return undefined;
      const range = { index: 'byAge', prefix: [team] as const, to: [before], limit: BATCH };
      const entries = await tx.list(collection, from ? { ...range, after: from } : range);
      for (const { value } of entries) await clear(tx, value, before);
      return entries.length < BATCH ? undefined : entries.at(-1)?.position;
    });
  } while (after && !signal.aborted);
}
