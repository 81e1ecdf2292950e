/**
 * Keys as strings whose plain order is the order of the keys: numbers before strings, a shorter key before its
 * extensions. Numbers are compared by value, strings by UTF-16 code units.
 *
 * Each part is a tag, its text and END. A zero character inside a text is followed by ESCAPE, which is above
 * every tag, so that no key is mistaken for the prefix of another.
 */
import type { KeyPart } from '../store.ts';

const END = '\u0000';
/** Between an index key and the key of its record: below the tags, so that shorter index keys come first. */
const JOINT = '\u0001';
const NUMBER = '\u0002';
const TEXT = '\u0003';
const BEHIND_TAGS = '\u0004';
const ESCAPE = '\uffff';

const double = new DataView(new ArrayBuffer(8));

/** Sixteen hexadecimal digits that sort as the number does. */
function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`not a part of a key: ${value}`);
  double.setFloat64(0, value === 0 ? 0 : value);
  const high = double.getUint32(0);
  const low = double.getUint32(4);
  const negative = high >= 0x8000_0000;
  const digits = (word: number) => (word >>> 0).toString(16).padStart(8, '0');
  return negative ? digits(~high) + digits(~low) : digits(high ^ 0x8000_0000) + digits(low);
}

function encodePart(part: KeyPart): string {
  if (typeof part === 'number') return NUMBER + encodeNumber(part) + END;
  if (typeof part !== 'string') throw new TypeError(`not a part of a key: ${String(part)}`);
  return TEXT + (part.includes(END) ? part.replaceAll(END, END + ESCAPE) : part) + END;
}

export function encodeKey(parts: readonly KeyPart[]): string {
  let encoded = '';
  for (const part of parts) encoded += encodePart(part);
  return encoded;
}

/** The place of a record in an index: by the index key, and among equal ones by the record's own key. */
export function encodeIndexEntry(indexKey: readonly KeyPart[], encodedKey: string): string {
  return encodeKey(indexKey) + JOINT + encodedKey;
}

/** Behind everything that begins with the key encoded as `encoded`. */
export function behindPrefix(encoded: string): string {
  return encoded + BEHIND_TAGS;
}

/** The first string behind `encoded` alone. */
export function justBehind(encoded: string): string {
  return encoded + END;
}
