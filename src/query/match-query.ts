/** Tests whether a query matches something. Pure. */
import type { Instant } from '../clock.ts';
import type { ComparisonOperator, QualifierTerm, Query, QueryTerm } from './query.ts';
import {
  parseQueryDate,
  parseQueryNumber,
  parseQueryRange,
  parseYesNo,
  type QueryDateRange,
  splitAlternatives,
} from './values.ts';
import { foldText, includesWords, parseTargetWords } from './words.ts';

/** Matches by its id or by words of its name. */
export interface NamedValue {
  readonly id?: number | string | undefined;
  readonly name?: string | undefined;
}

export type FieldValue = string | number | boolean | readonly string[] | NamedValue | undefined;

export interface QuerySubject {
  readonly text: string;
  /** The value that a qualifier compares; undefined if unknown. A date is a number (an instant). */
  fieldValue(name: string): FieldValue;
  /** For dates like `7d`. */
  readonly now?: Instant;
}

/** Many queries are compared with one subject, and folding its text takes long. */
const folded = new WeakMap<QuerySubject, string>();

/**
 * All terms must match. Words are whole words, `develop*` is a prefix, and a phrase is adjacent words. Case,
 * accents and hyphens are ignored. An unknown value satisfies no comparison, so its negation matches.
 */
export function matchesQuery(query: Query, subject: QuerySubject): boolean {
  const text = folded.get(subject) ?? foldText(subject.text);
  folded.set(subject, text);
  return query.terms.every((term) => holds(term, text, subject) !== term.negated);
}

function holds(term: QueryTerm, text: string, subject: QuerySubject): boolean {
  if (term.kind !== 'qualifier') return includesWords(text, parseTargetWords(term.text));
  return compileQualifier(term, subject.now ?? 0)(subject.fieldValue(term.name));
}

/**
 * Compiles a qualifier's comparison, ignoring negation, for use with many subjects.
 * @param now for dates like `7d`.
 */
export function compileQualifier(term: QualifierTerm, now: Instant): (value: FieldValue) => boolean {
  const measure = once(() => readMeasure(term, now));
  const isAlike = once(() => readAlternatives(term.value));
  const isNamed = once(() => readNames(term.value));
  return (value) => {
    if (value === undefined) return false;
    if (typeof value === 'number') return measure()(value);
    if (term.comparison !== '=') return false;
    if (typeof value === 'boolean') return parseYesNo(term.value) === value;
    if (typeof value === 'string') return isAlike()(value);
    return isList(value) ? value.some(isAlike()) : isNamed()(value);
  };
}

/** Each kind of value needs one reading of the term only. */
function once<T>(read: () => T): () => T {
  let known: T | undefined;
  return () => (known ??= read());
}

function isList(value: readonly string[] | NamedValue): value is readonly string[] {
  return Array.isArray(value);
}

function readAlternatives(written: string): (value: string) => boolean {
  const alternatives = new Set(splitAlternatives(written).map(foldText));
  return remembered((value) => alternatives.has(foldText(value)));
}

function readNames(written: string): (value: NamedValue) => boolean {
  const alternatives = splitAlternatives(written).map(parseTargetWords);
  const ids = new Set(alternatives.filter(({ open }) => !open).map(({ words }) => words));
  const isAny = alternatives.some(({ words, open }) => words === '*' && !open);
  const hasId = remembered((id) => ids.has(foldText(id)));
  const hasName = remembered((name) => {
    const text = foldText(name);
    return alternatives.some((sought) => includesWords(text, sought));
  });
  return ({ id, name }) =>
    isAny || (id !== undefined && hasId(`${id}`)) || (name !== undefined && hasName(name));
}

/** There are few names, and folding is expensive. */
function remembered(holds: (value: string) => boolean): (value: string) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const found = holds(value);
    known.set(value, found);
    return found;
  };
}

function readMeasure({ name, comparison, value: written }: QualifierTerm, now: Instant) {
  const range = parseQueryRange(written);
  if (range) {
    const [from, to] = range.map((end) => readStretch(end, now));
    if (from === undefined || to === undefined) return () => false;
    return (value: number) => compare(value, '>=', from) && compare(value, '<=', to);
  }
  const stretch = readStretch(written, now);
  if (stretch === undefined) return () => false;
  const directed = direct(name, comparison);
  return (value: number) => compare(value, directed, stretch);
}

function direct(name: string, comparison: ComparisonOperator): ComparisonOperator {
  if (comparison !== '=') return comparison;
  if (name === 'after') return '>=';
  return name === 'before' ? '<' : '=';
}

/** A number becomes a tiny range, so that 0.1 + 0.2 equals 0.3. */
function readStretch(written: string, now: Instant): QueryDateRange | undefined {
  const number = parseQueryNumber(written);
  return number === undefined ? parseQueryDate(written, now) : { from: number - 1e-9, to: number + 1e-9 };
}

function compare(value: number, comparison: ComparisonOperator, { from, to }: QueryDateRange): boolean {
  switch (comparison) {
    case '=':
      return value >= from && value < to;
    case '>':
      return value >= to;
    case '>=':
      return value >= from;
    case '<':
      return value < from;
    case '<=':
      return value < to;
  }
}
