/**
 * A sorted map of strings with a free `clone`: clones share nodes until one of them changes. So every
 * committed state can be read, listed or written to disk while the next one grows.
 */
import { createRequire } from 'node:module';
import type sortedBtree from 'sorted-btree';

/** Required, not imported: bundlers and Node disagree on a CommonJS module's default export. */
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

/** At most `limit` values with keys within `bounds`; with `reverse`, from the end. */
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
