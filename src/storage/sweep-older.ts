/** Going through all that is old, in small transactions, oldest first. */
import type { TeamId } from '../ids.ts';
import type { Collection, Position, Store, Transaction } from './store.ts';

/** In one transaction, which holds up whoever writes meanwhile. */
const BATCH = 100;

interface Older<T> {
  /** Its index `byAge` is gone through. */
  readonly collection: Collection<T>;
  readonly team: TeamId;
  /** The first part behind the team, excluded. */
  readonly before: number;
  /** Deletes what is to go, and leaves the rest: each is shown once. */
  readonly clear: (tx: Transaction, value: T) => Promise<void>;
}

/** Shows everything that is older to `clear`, until it is through or `signal` ends it. @throws StorageError */
export async function sweepOlder<T>(
  store: Store,
  { collection, team, before, clear }: Older<T>,
  signal: AbortSignal,
): Promise<void> {
  let after: Position | undefined;
  do {
    const from = after;
    after = await store.transact(async (tx) => {
      const range = { index: 'byAge', prefix: [team] as const, to: [before], limit: BATCH };
      const entries = await tx.list(collection, from ? { ...range, after: from } : range);
      for (const { value } of entries) await clear(tx, value);
      return entries.length < BATCH ? undefined : entries.at(-1)?.position;
    });
  } while (after && !signal.aborted);
}
