/**
 * A sorted map of strings whose `clone` costs nothing: clones share their nodes until one of them is changed. That makes
 * every committed state a value that can be read, listed or written to disk while the next one grows beside it.
 */
import { createRequire } from 'node:module';
import type sortedBtree from 'sorted-btree';

/** Required, not imported: bundlers and Node disagree on what the default of a CommonJS module is. */
const { default: BTree } = createRequire(import.meta.url)('sorted-btree') as {
  default: typeof sortedBtree.default;
};

export type SortedMap<V> = sortedBtree.default<string, V>;

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function createSortedMap<V>(): SortedMap<V> {
  return new BTree<string, V>(undefined, compareText);
}

export interface KeyBounds {
  /** Included. */
  readonly low: string;
  /** Excluded. */
  readonly high: string;
}

/** At most `limit` values of the keys within `bounds`, from the end where `reverse`. */
export function valuesBetween<V>(map: SortedMap<V>, bounds: KeyBounds, limit: number, reverse: boolean): V[] {
  const values: V[] = [];
  if (limit === 0 || bounds.low >= bounds.high) return values;
  const pairs = reverse
    ? map.entriesReversed(bounds.high, ['', undefined as V], true)
    : map.entries(bounds.low, ['', undefined as V]);
  for (const [key, value] of pairs) {
    if (reverse ? key < bounds.low : key >= bounds.high) break;
    values.push(value);
    if (values.length === limit) break;
  }
  return values;
}
