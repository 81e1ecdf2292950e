/** The port as a plain map, sorted for each listing: the reference for every engine. */
import type { Key, KeyPart } from '../../src/storage/store.ts';

export interface ModelRecord {
  readonly key: Key;
  readonly value: unknown;
}

/** Numbers before strings, by value; strings by UTF-16 code units; a shorter key before its extensions. */
export function compareKeys(a: readonly KeyPart[], b: readonly KeyPart[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = compareParts(a[at] ?? '', b[at] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: KeyPart, b: KeyPart): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** What `getMany` finds. */
export function getManyModel(records: readonly ModelRecord[], keys: readonly Key[]): unknown[] {
  return keys.map((key) => records.find((record) => compareKeys(record.key, key) === 0)?.value);
}

export interface ModelListing {
  readonly prefix: Key;
  readonly from?: readonly KeyPart[] | undefined;
  readonly to?: readonly KeyPart[] | undefined;
  readonly limit: number;
  readonly reverse?: boolean | undefined;
}

/** `records` in the order of `orderOf`, equal ones in the order of their keys. */
export function listModel(
  records: readonly ModelRecord[],
  orderOf: (record: ModelRecord) => Key | undefined,
  { prefix, from, to, limit, reverse }: ModelListing,
): ModelRecord[] {
  const found = records
    .flatMap((record) => {
      const at = orderOf(record);
      return at ? [{ at, record }] : [];
    })
    .filter(({ at }) => compareKeys(at.slice(0, prefix.length), prefix) === 0)
    .filter(({ at }) => !from || compareKeys(at, [...prefix, ...from]) >= 0)
    .filter(({ at }) => !to || compareKeys(at, [...prefix, ...to]) < 0)
    .sort((a, b) => compareKeys(a.at, b.at) || compareKeys(a.record.key, b.record.key))
    .map(({ record }) => record);
  if (reverse) found.reverse();
  return found.slice(0, limit);
}
