/** Reads many records in pages, without blocking other work. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Instant } from '../clock.ts';
import type { ChannelId } from '../ids.ts';
import type { Collection, ListOptions, ListPosition, ReadTransaction, Store } from '../storage/store.ts';

/** A page takes 1 or 2 ms; about 15 ms in rare cases, if an old project is read for each record. */
const PAGE = 100;

type Range = Pick<ListOptions, 'index' | 'prefix' | 'from' | 'to' | 'reverse'>;

/**
 * Passes every record of a range to `take`, page by page, and yields to other work in between. Concurrent
 * changes may be included or not.
 */
export async function scanRecordsInPages<T>(
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

/** The range of a time-based index: from `from` on and before `to`. */
export function buildTimeIndexRange({
  from,
  to,
}: Pick<ChannelTimeRange, 'from' | 'to'>): Pick<Range, 'from' | 'to'> {
  return { from: [from], to: [to] };
}

export interface ChannelTimeRange {
  readonly channel: ChannelId;
  readonly from: Instant;
  readonly to: Instant;
}
