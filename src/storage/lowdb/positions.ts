/** Positions in listings. They store the entry's keys, so that they outlive the entry. */
import type { Key, KeyPart, ListPosition } from '../store.ts';
import { encodeIndexEntry, encodeKey } from './keys.ts';

export function createListPosition(key: Key, indexKey: Key | undefined): ListPosition {
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
 * The encoded key of a position in the listed order.
 * @throws RangeError when the position belongs to another kind of listing.
 */
export function decodeListPosition(position: ListPosition, inIndex: boolean): string {
  const keys = parsePosition(position);
  const [key, indexKey]: unknown[] = Array.isArray(keys) ? keys : [];
  if (isKey(key) && inIndex && isKey(indexKey)) return encodeIndexEntry(indexKey, encodeKey(key));
  if (isKey(key) && !inIndex && indexKey === undefined) return encodeKey(key);
  throw new RangeError('Not a position in this listing');
}
