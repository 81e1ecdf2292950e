/**
 * Splits a query into tokens with positions, without knowing any qualifier's meaning, after reverting what
 * keyboards and Slack change in typed text. Pure; linear in time.
 */
import { type ComparisonOperator, hasValueList, type QualifierKind } from './query.ts';

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

type KindFinder = (name: string) => QualifierKind | undefined;

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

export function tokenizeQuery(text: string, kindOf: KindFinder): QueryToken[] {
  const pieces: QueryToken[] = [];
  let at = skip(BETWEEN, text, 0);
  while (at < text.length) {
    const afterDashes = skip(DASHES, text, at);
    const start = skip(NOISE, text, afterDashes);
    const read = readPiece(text, start, kindOf);
    if (read) pieces.push({ at, end: read.end, negated: afterDashes > at, what: read.what });
    else pieces.push({ at, end: start, negated: false, what: { kind: 'sign' } });
    at = skip(BETWEEN, text, read?.end ?? start);
  }
  return pieces;
}

type Read = Pick<QueryToken, 'what' | 'end'>;

function readPiece(text: string, at: number, kindOf: KindFinder): Read | undefined {
  if (text[at] === '"') {
    const { text: quoted, end, closed } = readQuoted(text, at);
    return { what: { kind: 'phrase', text: quoted, closed }, end };
  }
  const named = take(NAME, text, at);
  if (named && isQualifier(named, kindOf)) return readQualifier(text, at, named, kindOf);
  const word = take(WORD, text, at)?.[0].replace(LAST_COMMAS, '');
  return word ? { what: { kind: 'word', text: word }, end: at + word.length } : undefined;
}

function isQualifier([whole, name = '', colon]: RegExpExecArray, kindOf: KindFinder): boolean {
  const spaced = whole.includes(' ');
  return (colon === ':' && !spaced) || kindOf(name) !== undefined;
}

function readQualifier(text: string, at: number, named: RegExpExecArray, kindOf: KindFinder): Read {
  const name = named[1] ?? '';
  const afterName = at + named[0].length;
  const operator = take(OPERATOR, text, afterName);
  const comparison = COMPARISONS[operator?.[1] ?? ''] ?? '=';
  const valueAt = afterName + (operator?.[0].length ?? 0);
  const isEmpty = valueAt > afterName && isKnownQualifier(text, valueAt, kindOf);
  const values = isEmpty ? [] : readValues(text, valueAt, hasValueList(kindOf(name)), kindOf);
  const end = values.at(-1)?.end ?? afterName;
  return { what: { kind: 'qualifier', name, nameAt: at, comparison, values }, end };
}

function isKnownQualifier(text: string, at: number, kindOf: KindFinder): boolean {
  const named = take(KNOWN_NAME, text, skip(DASHES, text, at));
  return named !== null && kindOf(named[1] ?? '') !== undefined;
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
function readValues(text: string, from: number, isList: boolean, kindOf: KindFinder): QueryTokenValue[] {
  const values: QueryTokenValue[] = [];
  let at = from;
  for (;;) {
    const value = text[at] === '"' ? readQuoted(text, at) : readBare(text, at, isList);
    if (value.text !== '' || !value.closed) values.push(value);
    const comma = skip(SPACE, text, value.end);
    if (!isList || text[comma] !== ',') return values;
    at = skip(SPACE, text, comma + 1);
    if (text[at] === '-' || isKnownQualifier(text, at, kindOf)) return values;
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

export interface NormalizedQueryText {
  readonly text: string;
  /** The original position of each unit of `text`, and of its end. */
  readonly places: readonly number[];
}

const ENTITIES: Readonly<Record<string, string>> = { '&gt;': '>', '&lt;': '<', '&amp;': '&' };
/** `<https://example.com|label>`: Slack links anything that looks like an address. */
const LINK = /<(?:https?|mailto|tel):([^<>|\s]*)(?:\|([^<>]*))?>/y;
const DOUBLE_QUOTES = /[“”„‟«»″〝〞＂]/;
const TYPED_DASHES = /[‐‑‒–—―−]/;
const SPACES = /[\s\u00a0\u2800]/;
/** Control characters, zero-width characters, and text direction marks. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/u;
const TYPED_COMPARISONS: Readonly<Record<string, string>> = { '≥': '>=', '≤': '<=' };

/** Restores smart quotes, odd spaces and dashes, and Slack's escapes and links. */
export function normalizeQueryText(written: string): NormalizedQueryText {
  let text = '';
  const places: number[] = [];
  const add = (meant: string, at: number) => {
    for (let unit = 0; unit < meant.length; unit++) places.push(at);
    text += meant;
  };
  let at = 0;
  while (at < written.length) {
    const { meant, length } = readOne(written, at);
    add(meant, at);
    at += length;
  }
  places.push(written.length);
  return { text, places };
}

function readOne(written: string, at: number): { readonly meant: string; readonly length: number } {
  const char = written[at] ?? '';
  if (char === '&') {
    const name = Object.keys(ENTITIES).find((entity) => written.startsWith(entity, at));
    if (name !== undefined) return { meant: ENTITIES[name] ?? '', length: name.length };
  }
  if (char === '<') {
    const link = take(LINK, written, at);
    if (link) return { meant: plain(readLinked(link[2] ?? link[1] ?? '')), length: link[0].length };
  }
  return { meant: plain(char), length: 1 };
}

function readLinked(linked: string): string {
  return linked.replace(/^\/\//, '').replace(/&(?:gt|lt|amp);/g, (name) => ENTITIES[name] ?? name);
}

function plain(text: string): string {
  return Array.from(text, (char) => {
    if (SPACES.test(char)) return ' ';
    if (INVISIBLE.test(char)) return '';
    if (DOUBLE_QUOTES.test(char)) return '"';
    if (TYPED_DASHES.test(char)) return '-';
    return TYPED_COMPARISONS[char] ?? char;
  }).join('');
}

/** The inverse: escapes text so that `normalizeQueryText` returns it unchanged. */
export function escapeQueryText(text: string): string {
  return text.replace(/&(?=(?:amp|lt|gt);)/g, '&amp;').replace(/<(?=(?:https?|mailto|tel):)/g, '&lt;');
}
