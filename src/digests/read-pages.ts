/** Reading many records without holding anything up. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection, ListOptions, ListPosition, ReadTransaction, Store } from '../storage/store.ts';

/** Few enough to take a millisecond or two; some 15 ms where a project that came long ago is read beside each, which is rare. */
const PAGE = 100;

type Range = Pick<ListOptions, 'index' | 'prefix' | 'from' | 'to' | 'reverse'>;

/**
 * Hands over every record of a range, a page at a time; between two pages everything else has its turn. What changes
 * meanwhile may be seen or not.
 */
export async function readPages<T>(
  store: Pick<Store, 'read'>,
  collection: Collection<T>,
  range: Range,
  take: (tx: ReadTransaction, values: readonly T[]) => Promise<void>,
): Promise<void> {
  let after: ListPosition | undefined;
  do {
    const behind = after;
    after = await store.read(async (tx) => {
      const page = { ...range, limit: PAGE, ...(behind ? { after: behind } : {}) };
      const entries = await tx.list(collection, page);
      await take(
        tx,
        entries.map(({ value }) => value),
      );
      return entries.length < PAGE ? undefined : entries.at(-1)?.position;
    });
    if (after) await nextTurn();
  } while (after);
}

/** A stretch of time as the range of an index that goes by it: from `from` on, before `to`. */
export function buildTimeIndexRange({
  from,
  to,
}: {
  readonly from: number;
  readonly to: number;
}): Pick<Range, 'from' | 'to'> {
  return { from: [from], to: [to] };
}
