/** Reads many records without holding up other work. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection, ListOptions, ListPosition, Store } from '../storage/store.ts';

/** A page takes about 1 ms, or 10 ms for packed records. */
const PAGE = 100;

export interface NewestRecords<T> {
  /** Newest first. */
  readonly values: readonly T[];
  /** There are more, older ones. */
  readonly isCut: boolean;
}

/** The last `most` records of a range, in pages between which other work runs. */
export async function readNewest<T>(
  store: Pick<Store, 'read'>,
  collection: Collection<T>,
  range: Pick<ListOptions, 'index' | 'prefix' | 'from' | 'to'>,
  most: number,
): Promise<NewestRecords<T>> {
  const values: T[] = [];
  let after: ListPosition | undefined;
  for (;;) {
    const limit = Math.min(PAGE, most + 1 - values.length);
    const page = { ...range, reverse: true, limit, ...(after ? { after } : {}) };
    const entries = await store.read((tx) => tx.list(collection, page));
    for (const { value } of entries) values.push(value);
    if (values.length > most) return { values: values.slice(0, most), isCut: true };
    after = entries.at(-1)?.position;
    if (entries.length < limit || !after) return { values, isCut: false };
    await nextTurn();
  }
}

/** Takes `items` in portions of `size`, between which other work runs. */
export async function takeInPages<T>(
  items: readonly T[],
  take: (page: readonly T[]) => Promise<void> | void,
  size = PAGE,
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await nextTurn();
    await take(items.slice(from, from + size));
  }
}
