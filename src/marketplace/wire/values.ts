/**
 * Tolerant parsers of single values: unreadable values count as missing, and none of them throws. Afterwards
 * no external value is longer or deeper than the limits here.
 */
import type { z } from 'zod';
import type { Instant } from '../../clock.ts';

/** Limits of stored values, in UTF-16 units. Assumed: the API description names none for its responses. */
export const WIRE_TEXT_LENGTH_LIMITS = {
  label: 300,
  title: 1_000,
  url: 2_000,
  message: 1_000,
  question: 2_000,
  answer: 20_000,
  text: 100_000,
  items: 1_000,
} as const;

export type UnknownFields = Readonly<Record<string, unknown>>;

/** The fields of an object; empty for anything else. Take them by destructuring. */
export function toUnknownFields(value: unknown): UnknownFields {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is UnknownFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Control characters and marks that change the text direction. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const UNPRINTABLE_IN_TEXT = /(?![\n\t])[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A single-line text: no control characters, trimmed, clipped; undefined when empty. */
export function parseSingleLine(value: unknown, most: number = WIRE_TEXT_LENGTH_LIMITS.label) {
  const raw = asText(value, most * 2);
  if (raw === undefined) return undefined;
  const clean = raw.replaceAll(UNPRINTABLE, ' ').replaceAll(/ {2,}/g, ' ').trim();
  return clipped(clean, most).trim() || undefined;
}

/** A text with its line breaks; undefined when empty. */
export function parseMultilineText(value: unknown, most: number = WIRE_TEXT_LENGTH_LIMITS.text) {
  const raw = asText(value, most * 2);
  if (raw === undefined) return undefined;
  const clean = raw.replaceAll(/\r\n?/g, '\n').replaceAll(UNPRINTABLE_IN_TEXT, '').trim();
  return clipped(clean, most).trim() || undefined;
}

/**
 * A text that must stay exact: keeps blanks, line ends and invisible characters. Cuts the end of a long one
 * and drops lone surrogates. Undefined when empty.
 */
export function parseExactText(value: unknown, most: number = WIRE_TEXT_LENGTH_LIMITS.text) {
  return clipped(asText(value, most) ?? '', most) || undefined;
}

function asText(value: unknown, most: number): string | undefined {
  if (typeof value === 'string') return value.slice(0, most);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

function clipped(value: string, most: number): string {
  return value.slice(0, most).replaceAll(/\p{Surrogate}/gu, '');
}

/** A finite number, also from a string. */
export function parseFiniteNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const trimmed = value.slice(0, 40).trim();
  return /^[+-]?\d{1,15}(\.\d{1,10})?$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** An exact whole number, zero or more. */
export function parseCount(value: unknown): number | undefined {
  const read = parseFiniteNumber(value);
  return read !== undefined && Number.isSafeInteger(read) && read >= 0 ? read : undefined;
}

/** A share from 0 to 1; values over 1, up to 100, count as percent. */
export function parseRatio(value: unknown): number | undefined {
  const read = parseFiniteNumber(value);
  if (read === undefined || read < 0 || read > 100) return undefined;
  return read > 1 ? read / 100 : read;
}

export function parseBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === '1' || value === 'true') return true;
  if (value === 0 || value === '0' || value === 'false') return false;
  return undefined;
}

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO 8601 or SQL-style. Without a zone it counts as UTC, so it means the same on every machine. */
export function parseInstant(value: unknown): Instant | undefined {
  if (typeof value !== 'string') return undefined;
  const parts = DATE_TIME.exec(value.slice(0, 60).trim());
  if (!parts) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = parts;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const read = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(read) ? undefined : read;
}

export function parseTimestamp(value: unknown): Instant | undefined {
  const read = parseCount(value);
  if (read === undefined || read === 0) return undefined;
  // Smaller ones are seconds: in milliseconds they would be before 1973-03-04.
  return read < 1e11 ? read * 1_000 : read;
}

/** An id of the given kind, also from a string of digits. */
export function parseId<S extends z.ZodType>(kind: S, value: unknown): z.output<S> | undefined {
  return kind.safeParse(parseFiniteNumber(value)).data;
}

/** The readable items of a list and the number of unreadable ones; undefined when it isn't a list. */
export function parseList<T>(value: unknown, read: (item: unknown) => T | undefined) {
  if (!Array.isArray(value)) return undefined;
  const items: T[] = value
    .slice(0, WIRE_TEXT_LENGTH_LIMITS.items)
    .map(read)
    .filter((item) => item !== undefined);
  return { items, unreadable: value.length - items.length };
}

/** The readable items of a list; empty for anything else. */
export function parseListOrEmpty<T>(value: unknown, read: (item: unknown) => T | undefined): T[] {
  return parseList(value, read)?.items ?? [];
}

/** Short texts from a list or from a comma-separated string. */
export function parseStringList(value: unknown): string[] {
  const parts =
    typeof value === 'string' ? value.slice(0, WIRE_TEXT_LENGTH_LIMITS.text).split(/[,;\n]/) : value;
  const texts = parseListOrEmpty(parts, (item) => {
    const { name, label, title } = toUnknownFields(item);
    return parseSingleLine(isObject(item) ? (name ?? label ?? title) : item);
  });
  return texts.slice(0, 100);
}
