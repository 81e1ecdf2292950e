/**
 * Finds syntax that would count as plain words, such as lone signs, brackets, AND, OR and NOT, and errors in
 * a sorting qualifier such as `sort:`, which applies to the whole query. Pure.
 */
import { findQualifier, hasValueList, type QueryVocabulary } from './query.ts';
import type { QueryToken } from './tokenize-query.ts';

/** An error with its position in the scanned text, and a correction. */
export interface QueryTextError {
  readonly at: number;
  readonly end: number;
  readonly message: string;
  /** Undefined: no near correction is known. */
  readonly instead?: string;
  /** The part that `instead` replaces, if it is more than the error itself. */
  readonly cut?: { readonly at: number; readonly end: number };
}

const OPERATORS: Readonly<Record<string, 'and' | 'or' | 'not'>> = {
  AND: 'and',
  '&&': 'and',
  OR: 'or',
  '|': 'or',
  '||': 'or',
  NOT: 'not',
};

export function findUnsupportedSyntax(
  pieces: readonly QueryToken[],
  index: number,
  text: string,
  vocabulary: QueryVocabulary,
): QueryTextError | undefined {
  const piece = pieces[index];
  if (!piece || piece.what.kind === 'phrase') return undefined;
  const { what } = piece;
  if (what.kind === 'sign') return loneSign(piece, pieces[index + 1], text);
  if (what.kind === 'qualifier') {
    const value = what.values.find((each) => !each.quoted && hasBrackets(each.text));
    return value && brackets(value, text, vocabulary);
  }
  if (hasBrackets(what.text)) return brackets(piece, text, vocabulary);
  const operator = Object.hasOwn(OPERATORS, what.text) ? OPERATORS[what.text] : undefined;
  const beside = [pieces[index - 1], pieces[index + 1]];
  return operator && misreadOperator(operator, piece, beside, text, vocabulary);
}

function loneSign(sign: QueryToken, next: QueryToken | undefined, text: string): QueryTextError {
  const { at, end } = sign;
  const written = text.slice(at, end);
  if (!next || !/^-+$/.test(written))
    return { at, end, message: `There's no word next to "${written}".`, instead: '' };
  const message = 'To exclude a word, put "-" right before it, without a space. Otherwise, remove the "-".';
  return { at, end, message, instead: next.negated ? '' : '-', cut: { at, end: next.at } };
}

/** `foo(bar)` is a word; `(foo` and `bar)` are parts of a group. */
function hasBrackets(word: string): boolean {
  return /^[()]/.test(word) || (word.endsWith(')') && !word.includes('('));
}

function brackets({ at, end }: Pick<QueryToken, 'at' | 'end'>, text: string, vocabulary: QueryVocabulary) {
  const instead = text.replace(/"[^"]*"?|[()]/g, (found) => (found.startsWith('"') ? found : ''));
  const message = `Parentheses don't group words here. To match them, use quotes. ${vocabulary.alternatives}`;
  return { at, end, message, instead, cut: { at: 0, end: text.length } };
}

function misreadOperator(
  operator: 'and' | 'or' | 'not',
  { at, end }: QueryToken,
  [before, next]: readonly (QueryToken | undefined)[],
  text: string,
  vocabulary: QueryVocabulary,
): QueryTextError {
  const written = `"${text.slice(at, end)}"`;
  const cut = { at, end: next?.at ?? end };
  switch (operator) {
    case 'and':
      return { at, end, message: `Remove ${written}. All parts must match anyway.`, instead: '', cut };
    case 'not':
      return {
        at,
        end,
        message: `Instead of ${written}, put "-" right before the word to exclude.`,
        instead: next && !next.negated ? '-' : '',
        cut,
      };
    case 'or': {
      const joined = joinValues(before, next, text, vocabulary);
      return { at, end, message: `${written} doesn't work here. ${vocabulary.alternatives}`, ...joined };
    }
  }
}

/** Joins `country:US OR country:UK` as `country:US,UK`; undefined if the two can't share a list. */
function joinValues(
  before: QueryToken | undefined,
  next: QueryToken | undefined,
  text: string,
  vocabulary: QueryVocabulary,
): Pick<QueryTextError, 'instead' | 'cut'> {
  if (before?.what.kind !== 'qualifier' || next?.what.kind !== 'qualifier') return {};
  const [one, other] = [before.what, next.what];
  const isSame = one.name.toLowerCase() === other.name.toLowerCase();
  const isList = hasValueList(findQualifier(vocabulary, one.name));
  const first = other.values[0];
  if (!isSame || !isList || !first || before.negated || next.negated) return {};
  return { instead: `,${text.slice(first.at, next.end)}`, cut: { at: before.end, end: next.end } };
}

/** @param index a piece that is valid on its own. */
export function findSortError(
  pieces: readonly QueryToken[],
  index: number,
  vocabulary: QueryVocabulary,
): QueryTextError | undefined {
  const piece = pieces[index];
  const order = piece && readOrder(piece, vocabulary);
  if (!piece || !order) return undefined;
  const { at, end } = piece;
  const { name, kind, value } = order;
  const isSame = (other: QueryToken) => readOrder(other, vocabulary)?.name === name;
  if (pieces.slice(0, index).some(isSame)) {
    const message = `Use "${name}:" only once.`;
    return { at, end, message, instead: '', cut: { at: pieces[index - 1]?.end ?? at, end } };
  }
  if (piece.negated) {
    const message = `"${name}:" can't be excluded. Remove the "-".`;
    return { at, end, message, instead: `${name}:${value}` };
  }
  const hasWords = pieces.some((it) => !it.negated && (it.what.kind === 'word' || it.what.kind === 'phrase'));
  if (hasWords || !kind.withWords.includes(value.toLowerCase())) return undefined;
  const instead = kind.choices.find((choice) => !kind.withWords.includes(choice)) ?? '';
  const message = `"${name}:${value}" needs at least one search word.`;
  return { at, end, message, instead: `${name}:${instead}` };
}

function readOrder({ what }: QueryToken, vocabulary: QueryVocabulary) {
  if (what.kind !== 'qualifier') return undefined;
  const kind = findQualifier(vocabulary, what.name);
  if (kind?.kind !== 'order') return undefined;
  return { name: what.name.toLowerCase(), kind, value: what.values[0]?.text ?? '' };
}
