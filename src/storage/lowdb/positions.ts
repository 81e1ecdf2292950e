/** Positions of listings: the keys of the entry that they stand on, so that they outlive it. */
import type { Key, KeyPart, ListPosition } from '../store.ts';
import { encodeIndexEntry, encodeKey } from './keys.ts';

export function makePosition(key: Key, indexKey: Key | undefined): ListPosition {
  return JSON.stringify(indexKey ? [key, indexKey] : [key]) as ListPosition;
}

function isKey(value: unknown): value is KeyPart[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string' || Number.isFinite(part));
}

function parsePosition(position: string): unknown {
  try {
    return JSON.parse(position);
  } catch {
    return undefined;
  }
}

/**
 * Where a position stands in the order that is listed.
 * @throws RangeError when it is not a position of this kind of listing.
 */
export function decodePosition(position: ListPosition, inIndex: boolean): string {
  const keys = parsePosition(position);
  const [key, indexKey]: unknown[] = Array.isArray(keys) ? keys : [];
  if (isKey(key) && inIndex && isKey(indexKey)) return encodeIndexEntry(indexKey, encodeKey(key));
  if (isKey(key) && !inIndex && indexKey === undefined) return encodeKey(key);
  throw new RangeError('Not a position in this listing');
}
