/**
 * Splits a query into tokens with positions, without knowing any qualifier's meaning. Pure; linear in time.
 */
import type { ComparisonOperator } from './query.ts';

export interface QueryToken {
  /** Position in the scanned text. */
  readonly at: number;
  readonly end: number;
  readonly negated: boolean;
  readonly what: /** Dashes and similar signs without a word after them. */
    | { readonly kind: 'sign' }
    | { readonly kind: 'word'; readonly text: string }
    | { readonly kind: 'phrase'; readonly text: string; readonly closed: boolean }
    | {
        readonly kind: 'qualifier';
        readonly name: string;
        readonly nameAt: number;
        readonly comparison: ComparisonOperator;
        readonly values: readonly QueryTokenValue[];
      };
}

export interface QueryTokenValue {
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly closed: boolean;
  readonly quoted: boolean;
}

export interface QueryTokenizerRules {
  /** Whether `name>5` without a colon means a qualifier. */
  readonly isQualifierName: (name: string) => boolean;
  /** Whether commas separate this qualifier's values. */
  readonly hasValueList: (name: string) => boolean;
}

const SPACE = / */y;
/** A comma between two parts means nothing. */
const BETWEEN = /[ ,]*/y;
const DASHES = /-+/y;
/** Means nothing at the start of a word. */
const NOISE = /[<>=:,-]+/y;
const NAME = /([a-z][\w-]{0,40}) ?(:(?!\/\/)|(?=[<>=]))/iy;
const KNOWN_NAME = /([a-z][\w-]{0,40}):(?!\/\/)/iy;
const OPERATOR = / *(>=|=>|<=|=<|>|<|=)? */y;
const WORD = /[^ "]+/y;
const LAST_COMMAS = /(?<=[^,]),+$/;
const LIST_PART = /[^ ",]*/y;

function take(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function skip(pattern: RegExp, text: string, at: number): number {
  return at + (take(pattern, text, at)?.[0].length ?? 0);
}

export function tokenizeQuery(text: string, rules: QueryTokenizerRules): QueryToken[] {
  const pieces: QueryToken[] = [];
  let at = skip(BETWEEN, text, 0);
  while (at < text.length) {
    const afterDashes = skip(DASHES, text, at);
    const start = skip(NOISE, text, afterDashes);
    const read = readPiece(text, start, rules);
    if (read) pieces.push({ at, end: read.end, negated: afterDashes > at, what: read.what });
    else pieces.push({ at, end: start, negated: false, what: { kind: 'sign' } });
    at = skip(BETWEEN, text, read?.end ?? start);
  }
  return pieces;
}

type Read = Pick<QueryToken, 'what' | 'end'>;

function readPiece(text: string, at: number, rules: QueryTokenizerRules): Read | undefined {
  if (text[at] === '"') {
    const { text: quoted, end, closed } = readQuoted(text, at);
    return { what: { kind: 'phrase', text: quoted, closed }, end };
  }
  const named = take(NAME, text, at);
  if (named && isQualifier(named, rules)) return readQualifier(text, at, named, rules);
  const word = take(WORD, text, at)?.[0].replace(LAST_COMMAS, '');
  return word ? { what: { kind: 'word', text: word }, end: at + word.length } : undefined;
}

function isQualifier([whole, name = '', colon]: RegExpExecArray, rules: QueryTokenizerRules): boolean {
  const spaced = whole.includes(' ');
  return colon === ':' && !spaced ? true : rules.isQualifierName(name);
}

function readQualifier(text: string, at: number, named: RegExpExecArray, rules: QueryTokenizerRules): Read {
  const name = named[1] ?? '';
  const afterName = at + named[0].length;
  const operator = take(OPERATOR, text, afterName);
  const comparison = COMPARISONS[operator?.[1] ?? ''] ?? '=';
  const valueAt = afterName + (operator?.[0].length ?? 0);
  const isEmpty = valueAt > afterName && isKnownQualifier(text, valueAt, rules);
  const values = isEmpty ? [] : readValues(text, valueAt, rules.hasValueList(name), rules);
  const end = values.at(-1)?.end ?? afterName;
  return { what: { kind: 'qualifier', name, nameAt: at, comparison, values }, end };
}

function isKnownQualifier(text: string, at: number, rules: QueryTokenizerRules): boolean {
  const named = take(KNOWN_NAME, text, skip(DASHES, text, at));
  return named !== null && rules.isQualifierName(named[1] ?? '');
}

const COMPARISONS: Readonly<Record<string, ComparisonOperator>> = {
  '>': '>',
  '<': '<',
  '>=': '>=',
  '=>': '>=',
  '<=': '<=',
  '=<': '<=',
};

/** A comma without a value after it ends the list: an exclusion or the next qualifier isn't a value. */
function readValues(
  text: string,
  from: number,
  isList: boolean,
  rules: QueryTokenizerRules,
): QueryTokenValue[] {
  const values: QueryTokenValue[] = [];
  let at = from;
  for (;;) {
    const value = text[at] === '"' ? readQuoted(text, at) : readBare(text, at, isList);
    if (value.text !== '' || !value.closed) values.push(value);
    const comma = skip(SPACE, text, value.end);
    if (!isList || text[comma] !== ',') return values;
    at = skip(SPACE, text, comma + 1);
    if (text[at] === '-' || isKnownQualifier(text, at, rules)) return values;
  }
}

function readBare(text: string, at: number, isList: boolean): QueryTokenValue {
  const found = (take(isList ? LIST_PART : WORD, text, at)?.[0] ?? '').replace(LAST_COMMAS, '');
  return { at, end: at + found.length, text: found, closed: true, quoted: false };
}

function readQuoted(text: string, at: number): QueryTokenValue {
  const close = text.indexOf('"', at + 1);
  const end = close === -1 ? text.length : close + 1;
  const inner = text.slice(at + 1, close === -1 ? end : close);
  return { at, end, text: inner.replace(/ +/g, ' ').trim(), closed: close !== -1, quoted: true };
}
