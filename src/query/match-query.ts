/** Whether a query holds for something. Pure. */
import type { Instant } from '../clock.ts';
import { fold } from './fold.ts';
import type { Comparison, Query, Term } from './query.ts';
import { readDate, readNumber, readRange, readYesNo, type Stretch, splitAlternatives } from './values.ts';

export type FieldValue = string | number | boolean | readonly string[] | undefined;

export interface Subject {
  /** What words and phrases are looked for in. */
  readonly text: string;
  /** What a qualifier compares; undefined where it is not known. A date is a number (an instant). */
  field(name: string): FieldValue;
  /** For dates like `7d`. */
  readonly now?: Instant;
}

/**
 * All terms must hold. Words are whole words, `develop*` is the beginning of one; a phrase is words side by side; case, accents and
 * hyphens do not count. What is not known satisfies no comparison, so its negation holds.
 */
export function matchQuery(query: Query, subject: Subject): boolean {
  const text = ` ${fold(subject.text)} `;
  return query.terms.every((term) => holds(term, text, subject) !== term.negated);
}

function holds(term: Term, text: string, subject: Subject): boolean {
  if (term.kind !== 'qualifier') return includesWords(text, term.text);
  const value = subject.field(term.name);
  if (value === undefined) return false;
  if (typeof value === 'number')
    return measures(value, term.name, term.comparison, term.value, subject.now ?? 0);
  if (term.comparison !== '=') return false;
  if (typeof value === 'boolean') return readYesNo(term.value) === value;
  const known = new Set((typeof value === 'string' ? [value] : value).map(fold));
  return splitAlternatives(term.value).some((one) => known.has(fold(one)));
}

function includesWords(text: string, written: string): boolean {
  const isBeginning = /[^*]\*$/.test(written);
  const words = fold(isBeginning ? written.slice(0, -1) : written);
  if (words === '') return true;
  const endsOpen = isBeginning || !isWordPart(words.at(-1) ?? '');
  const startsOpen = !isWordPart(words[0] ?? '');
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const behind = text[at + words.length] ?? ' ';
    if ((startsOpen || !isWordPart(before)) && (endsOpen || !isWordPart(behind))) return true;
  }
  return false;
}

/** Of a letter beyond the basic plane only half is seen; it counts as a letter. */
function isWordPart(unit: string): boolean {
  return /[\p{L}\p{N}\p{Cs}]/u.test(unit);
}

function measures(
  value: number,
  name: string,
  comparison: Comparison,
  written: string,
  now: Instant,
): boolean {
  const range = readRange(written);
  if (range) {
    const [from, to] = range.map((end) => readStretch(end, now));
    return from !== undefined && to !== undefined && compare(value, '>=', from) && compare(value, '<=', to);
  }
  const stretch = readStretch(written, now);
  return stretch !== undefined && compare(value, directed(name, comparison), stretch);
}

function directed(name: string, comparison: Comparison): Comparison {
  if (comparison !== '=') return comparison;
  if (name === 'after') return '>=';
  return name === 'before' ? '<' : '=';
}

/** A number is a stretch too narrow to notice, so that 0.1 + 0.2 equals 0.3. */
function readStretch(written: string, now: Instant): Stretch | undefined {
  const number = readNumber(written);
  return number === undefined ? readDate(written, now) : { from: number - 1e-9, to: number + 1e-9 };
}

function compare(value: number, comparison: Comparison, { from, to }: Stretch): boolean {
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
