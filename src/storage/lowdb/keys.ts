/**
 * Encodes keys as strings that sort like the keys: numbers before strings, a shorter key before its
 * extensions. Numbers compare by value, strings by UTF-16 code units.
 * A string is a tag, its text and END; a number is a tag and eight bytes. ESCAPE follows each zero character
 * inside a text. It sorts above every tag, so that no key looks like the prefix of another.
 */
import type { KeyPart } from '../store.ts';

const END = '\u0000';
/** Between an index key and its record's key: below the tags, so that shorter index keys come first. */
const JOINT = '\u0001';
const NUMBER = '\u0002';
const TEXT = '\u0003';
const BEHIND_TAGS = '\u0004';
const ESCAPE = '\uffff';

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

function encodePart(part: KeyPart): string {
  if (typeof part === 'number') return NUMBER + encodeNumber(part);
  if (typeof part !== 'string') throw new TypeError(`Not a valid key part: ${String(part)}`);
  return TEXT + (part.includes(END) ? part.replaceAll(END, END + ESCAPE) : part) + END;
}

export function encodeKey(parts: readonly KeyPart[]): string {
  let encoded = '';
  for (const part of parts) encoded += encodePart(part);
  return encoded;
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
