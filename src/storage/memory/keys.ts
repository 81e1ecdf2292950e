/**
 * Keys as strings that sort like the keys, maps sorted by them, and positions in listings.
 * Numbers sort before strings, a shorter key before its extensions. Numbers compare by value, strings by
 * UTF-16 code units. A string is a tag, its text and END; a number is a tag and eight bytes. ESCAPE follows
 * each zero character inside a text. It sorts above every tag, so that no key looks like the prefix of
 * another.
 */
import { createRequire } from 'node:module';
import type sortedBtree from 'sorted-btree';
import { parseJson } from '../../base/parse-json.ts';
import type { Key, KeyPart, ListPosition } from '../store.ts';

const END = '\u0000';
/** Between an index key and its record's key: below the tags, so that shorter index keys come first. */
const JOINT = '\u0001';
const NUMBER = '\u0002';
const TEXT = '\u0003';
const BEHIND_TAGS = '\u0004';
const ESCAPE = '\uffff';

const NUMBER_BYTES = 8;
const double = new DataView(new ArrayBuffer(8));

/** Eight characters, one per byte, that sort like the number. The fixed length needs no END. */
function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`Not a valid key part: ${value}`);
  double.setFloat64(0, value === 0 ? 0 : value);
  const negative = double.getUint32(0) >= 0x8000_0000;
  const high = negative ? ~double.getUint32(0) : double.getUint32(0) ^ 0x8000_0000;
  const low = negative ? ~double.getUint32(4) : double.getUint32(4);
  return String.fromCharCode(
    high >>> 24,
    (high >>> 16) & 255,
    (high >>> 8) & 255,
    high & 255,
    low >>> 24,
    (low >>> 16) & 255,
    (low >>> 8) & 255,
    low & 255,
  );
}

export function encodeKey(parts: readonly KeyPart[]): string {
  let encoded = '';
  for (const part of parts) {
    if (typeof part === 'number') encoded += NUMBER + encodeNumber(part);
    else if (typeof part !== 'string') throw new TypeError(`Not a valid key part: ${String(part)}`);
    else encoded += TEXT + (part.includes(END) ? part.replaceAll(END, END + ESCAPE) : part) + END;
  }
  return encoded;
}

function decodeNumber(encoded: string): number {
  for (let byte = 0; byte < NUMBER_BYTES; byte++) double.setUint8(byte, encoded.charCodeAt(byte));
  const [high, low] = [double.getUint32(0), double.getUint32(4)];
  const wasNegative = high < 0x8000_0000;
  double.setUint32(0, wasNegative ? ~high : high ^ 0x8000_0000);
  double.setUint32(4, wasNegative ? ~low : low);
  return double.getFloat64(0);
}

function findTextEnd(encoded: string, from: number): number {
  let end = encoded.indexOf(END, from);
  while (encoded[end + 1] === ESCAPE) end = encoded.indexOf(END, end + 2);
  return end;
}

/** @param encoded as `encodeKey` returned it. @returns the frozen key */
export function decodeKey(encoded: string): Key {
  const parts: KeyPart[] = [];
  for (let at = 0; at < encoded.length; ) {
    const from = at + 1;
    const to = encoded[at] === NUMBER ? from + NUMBER_BYTES : findTextEnd(encoded, from);
    const part = encoded.slice(from, to);
    parts.push(encoded[at] === NUMBER ? decodeNumber(part) : part.replaceAll(END + ESCAPE, END));
    at = encoded[at] === NUMBER ? to : to + 1;
  }
  return Object.freeze(parts) as unknown as Key;
}

/** A record's position in an index: sorted by the index key, then by the record's own key. */
export function encodeIndexEntry(indexKey: readonly KeyPart[], encodedKey: string): string {
  return encodeKey(indexKey) + JOINT + encodedKey;
}

/** Sorts after every key that starts with the key encoded as `encoded`. */
export function getPrefixUpperBound(encoded: string): string {
  return encoded + BEHIND_TAGS;
}

/** The first string that sorts after `encoded`. */
export function nextKeyAfter(encoded: string): string {
  return encoded + END;
}

/** Required, not imported: bundlers and Node disagree on a CommonJS module's default export. */
const { default: BTree } = createRequire(import.meta.url)('sorted-btree') as {
  default: typeof sortedBtree.default;
};

/**
 * Clones are free: they share nodes until one of them changes. So every committed state can be read, listed
 * or written to disk while the next one grows.
 */
export type SortedMap<V> = sortedBtree.default<string, V>;

export function createSortedMap<V>(): SortedMap<V> {
  return new BTree<string, V>(undefined, (a, b) => {
    if (a === b) return 0;
    return a < b ? -1 : 1;
  });
}

export interface KeyBounds {
  /** Included. */
  readonly low: string;
  /** Excluded. */
  readonly high: string;
}

/** At most `limit` entries with keys within `bounds`; with `reverse`, from the end. */
export function entriesBetween<V>(map: SortedMap<V>, bounds: KeyBounds, limit: number, reverse: boolean) {
  const entries: (readonly [key: string, value: V])[] = [];
  if (limit === 0 || bounds.low >= bounds.high) return entries;
  const pairs = reverse
    ? map.entriesReversed(bounds.high, ['', undefined as V], true)
    : map.entries(bounds.low, ['', undefined as V]);
  for (const [key, value] of pairs) {
    if (reverse ? key < bounds.low : key >= bounds.high) break;
    entries.push([key, value]);
    if (entries.length === limit) break;
  }
  return entries;
}

/** Stores the entry's keys, so that the position outlives the entry. */
export function createListPosition(key: Key, indexKey: Key | undefined): ListPosition {
  return JSON.stringify(indexKey ? [key, indexKey] : [key]) as ListPosition;
}

function isKey(value: unknown): value is KeyPart[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string' || Number.isFinite(part));
}

/** The encoded key of a position in the listed order. @throws RangeError for another kind of listing */
export function decodeListPosition(position: ListPosition, inIndex: boolean): string {
  const keys = parseJson(position);
  const [key, indexKey]: unknown[] = Array.isArray(keys) ? keys : [];
  if (isKey(key) && inIndex && isKey(indexKey)) return encodeIndexEntry(indexKey, encodeKey(key));
  if (isKey(key) && !inIndex && indexKey === undefined) return encodeKey(key);
  throw new RangeError('Not a position in this listing');
}
