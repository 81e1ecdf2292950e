/**
 * Values of qualifiers: numbers, dates, yes and no, and lists of alternatives; their checks and their normal
 * spelling. Pure.
 */
import { normalizeNumeral } from '../base/amounts.ts';
import { DAY, type Instant } from '../clock.ts';
import type { ComparisonOperator, QualifierKind } from './query.ts';
import { findNearestName, foldText } from './words.ts';

const NUMBER = /^\$?(.+?)([km])?(%)?\$?$/i;
const FACTORS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

function readNumber(written: string) {
  const [, numeral = '', suffix = '', percent = ''] = NUMBER.exec(written.trim()) ?? [];
  const digits = normalizeNumeral(numeral.trim(), suffix || percent ? 'decimals' : 'thousands');
  return digits === undefined ? undefined : { digits, suffix: suffix.toLowerCase(), percent };
}

/** `500`, `$1,500`, `1.500,50`, `1.5k`, `80%` (which is 0.8). @returns undefined for anything else. */
export function parseQueryNumber(written: string): number | undefined {
  const read = readNumber(written);
  if (!read) return undefined;
  const value = Number(read.digits) * (FACTORS[read.suffix] ?? 1);
  return read.percent ? value / 100 : value;
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

export interface ValidQualifierValue {
  readonly kind: 'right';
  readonly value: string;
  /** Set when the value itself includes it: `100..` means at least. */
  readonly comparison?: ComparisonOperator;
}

type CheckedValue =
  | ValidQualifierValue
  /** `expected` follows "Use …". */
  | { readonly kind: 'wrong'; readonly expected: string; readonly instead: string };

export function checkQualifierValue(kind: QualifierKind, written: string): CheckedValue {
  switch (kind.kind) {
    case 'text':
      if (foldText(written) === '') return { kind: 'wrong', expected: 'a word', instead: '"two words"' };
      return { kind: 'right', value: written };
    case 'choice':
    case 'order':
      return checkChoice(kind.choices, written);
    case 'yes-no': {
      const yes = parseYesNo(written);
      if (yes === undefined) return { kind: 'wrong', expected: '"yes" or "no"', instead: 'yes' };
      return { kind: 'right', value: yes ? 'yes' : 'no' };
    }
    case 'number':
    case 'date':
      return checkMeasure(kind, written);
  }
}

/** A valid value of a kind, for examples. */
export function sampleValue(kind: QualifierKind): string {
  switch (kind.kind) {
    case 'text':
      return '"two words"';
    case 'choice':
    case 'order':
      return kind.choices[0] ?? '';
    case 'yes-no':
      return 'yes';
    case 'number':
      return kind.sample ?? (kind.ratio ? '>=80%' : '>=500');
    case 'date':
      return '7d';
  }
}

function checkChoice(choices: readonly string[], written: string): CheckedValue {
  const found = choices.find((choice) => choice.toLowerCase() === written.toLowerCase());
  if (found !== undefined) return { kind: 'right', value: found };
  const expected = `one of: ${choices.join(', ')}`;
  return { kind: 'wrong', expected, instead: findNearestName(written, choices) ?? choices[0] ?? '' };
}

type Measure = Extract<QualifierKind, { kind: 'number' | 'date' }>;

function checkMeasure(kind: Measure, written: string): CheckedValue {
  const range = parseQueryRange(written);
  if (!range) return checkOne(kind, written);
  const [from, to] = range.map((end) => (end === '*' ? '' : end));
  if (from === '' && to === '') return checkOne(kind, written);
  if (from === '') return withComparison(checkOne(kind, to ?? ''), '<=');
  if (to === '') return withComparison(checkOne(kind, from ?? ''), '>=');
  return checkRange(checkOne(kind, from ?? ''), checkOne(kind, to ?? ''));
}

function withComparison(checked: CheckedValue, comparison: ComparisonOperator): CheckedValue {
  return checked.kind === 'right' ? { ...checked, comparison } : checked;
}

function checkRange(from: CheckedValue, to: CheckedValue): CheckedValue {
  if (from.kind === 'wrong') return from;
  if (to.kind === 'wrong') return to;
  if (sizeOf(from.value) > sizeOf(to.value))
    return { kind: 'wrong', expected: 'a range from low to high', instead: `${to.value}..${from.value}` };
  return { kind: 'right', value: `${from.value}..${to.value}` };
}

/** For comparing two values of one kind. A day counts from 1970, or back from today. */
function sizeOf(value: string): number {
  return parseQueryNumber(value) ?? parseQueryDate(value, Number.MAX_SAFE_INTEGER / 2)?.from ?? 0;
}

function checkOne(kind: Measure, written: string): CheckedValue {
  if (kind.kind === 'date') {
    if (parseQueryDate(written, 0)) return { kind: 'right', value: written.toLowerCase() };
    return { kind: 'wrong', expected: 'a date like 2026-11-20 or 7d (7 days ago)', instead: '7d' };
  }
  const value = kind.ratio ? parseQueryPercent(written) : plainNumber(written);
  const isWithin = (parseQueryNumber(value ?? '') ?? 0) <= (kind.most ?? Number.POSITIVE_INFINITY);
  if (value !== undefined && isWithin) return { kind: 'right', value };
  return { kind: 'wrong', expected: describeNumber(kind), instead: sampleValue(kind).replace(/^[<>=]+/, '') };
}

function describeNumber(kind: Extract<QualifierKind, { kind: 'number' }>): string {
  if (kind.ratio) return 'a share from 0% to 100%, like 80% or 0.8';
  const sample = sampleValue(kind).replace(/^[<>=]+/, '');
  if (kind.most !== undefined) return `a number from 0 to ${kind.most}, like ${sample}`;
  return Number(sample) < 100 ? `a number like ${sample}` : 'a number like 500, 1.5k, or $1,000';
}

/** A comparison that nothing can satisfy, for a valid value; follows "can't be …". */
export function describeImpossibleComparison(
  kind: QualifierKind,
  comparison: ComparisonOperator,
  value: string,
): string | undefined {
  if (kind.kind !== 'number' || value.includes('..')) return undefined;
  const number = parseQueryNumber(value) ?? 0;
  if (comparison === '<' && number === 0) return 'less than 0';
  const most = kind.most ?? (kind.ratio ? 1 : undefined);
  return comparison === '>' && most !== undefined && number >= most ? `more than ${value}` : undefined;
}

function plainNumber(written: string): string | undefined {
  const read = readNumber(written);
  return read && !read.percent ? `${read.digits}${read.suffix}` : undefined;
}
