/** Values of qualifiers: numbers, dates, yes and no, and lists of alternatives. Pure. */
import { DAY, type Instant } from '../clock.ts';

const NUMBER = /^\$?(\d+(?:\.\d+)?|\.\d+)([km])?(%)?$/i;
const FACTORS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** `500`, `$1,500`, `1.5k`, `80%` (which is 0.8). @returns undefined for anything else. */
export function parseQueryNumber(written: string): number | undefined {
  const match = NUMBER.exec(written.replace(/[,\s]/g, ''));
  if (!match) return undefined;
  const [, digits = '', suffix = '', percent] = match;
  const value = Number(digits) * (FACTORS[suffix.toLowerCase()] ?? 1);
  return percent ? value / 100 : value;
}

/** Normalizes a ratio to percent: `80`, `80%` and `0.8` all become `80%`. */
export function parseQueryPercent(written: string): string | undefined {
  const value = parseQueryNumber(written);
  if (value === undefined) return undefined;
  const ratio = written.includes('%') || value <= 1 ? value : value / 100;
  return ratio > 1 ? undefined : `${Number((ratio * 100).toFixed(6))}%`;
}

/** A time range; its end is excluded. */
export interface QueryDateRange {
  readonly from: Instant;
  readonly to: Instant;
}

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DAYS_AGO = /^(\d{1,5})d$/i;

/** The day of `2026-11-20` in UTC, or the 24 hours that began `7d` before `now`. */
export function parseQueryDate(written: string, now: Instant): QueryDateRange | undefined {
  const ago = DAYS_AGO.exec(written);
  if (ago) return dayFrom(now - Number(ago[1]) * DAY);
  const match = DATE.exec(written);
  if (!match) return undefined;
  const [, year, month, day] = match.map(Number);
  const from = Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0);
  const exists = new Date(from).getUTCMonth() === (month ?? 0) - 1 && new Date(from).getUTCDate() === day;
  return exists ? dayFrom(from) : undefined;
}

function dayFrom(from: Instant): QueryDateRange {
  return { from, to: from + DAY };
}

const YES = new Set(['yes', 'y', 'true', 'on']);
const NO = new Set(['no', 'n', 'false', 'off']);

export function parseYesNo(written: string): boolean | undefined {
  const word = written.toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

/** The two ends of `100..500`. */
export function parseQueryRange(written: string): readonly [string, string] | undefined {
  const parts = written.split('..');
  const [from, to] = parts;
  return parts.length === 2 && from !== undefined && to !== undefined ? [from.trim(), to.trim()] : undefined;
}

/** Joins alternatives as `US,United Kingdom`, with quotes around an alternative that contains a comma. */
export function joinAlternatives(alternatives: readonly string[]): string {
  return alternatives.map((one) => (one.includes(',') ? `"${one}"` : one)).join(',');
}

export function splitAlternatives(value: string): readonly string[] {
  return Array.from(value.matchAll(/"([^"]*)"|[^,"]+/g), ([whole, quoted]) => quoted ?? whole);
}
