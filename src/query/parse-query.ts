/**
 * Parses a query as people type it, and prints it so that parsing gives the same query. Pure; never throws;
 * linear in time.
 */
import {
  findQualifier,
  type ParsedQuery,
  type QualifierKind,
  type Query,
  type QueryError,
  type QueryTerm,
  type QueryVocabulary,
} from './query.ts';
import {
  escapeQueryText,
  type NormalizedQueryText,
  normalizeQueryText,
  type QueryToken,
  type QueryTokenValue,
  tokenizeQuery,
} from './tokenize-query.ts';
import { findSortError, findUnsupportedSyntax, type QueryTextError } from './unsupported-syntax.ts';
import {
  checkQualifierValue,
  describeImpossibleComparison,
  joinAlternatives,
  sampleValue,
  splitAlternatives,
  type ValidQualifierValue,
} from './values.ts';
import { findNearestName, foldText } from './words.ts';

export const MAX_QUERY_LENGTH = 500;
const MAX_QUERY_TERMS = 40;

type Read<T> =
  | { readonly kind: 'right'; readonly value: T }
  | { readonly kind: 'fault'; readonly fault: QueryTextError };
type Qualifier = Extract<QueryToken['what'], { kind: 'qualifier' }>;

const wrong = (fault: QueryTextError): Read<never> => ({ kind: 'fault', fault });

/**
 * Words, "phrases", `name:value`, `name:>n`, `name:from..to`, `name:this,"or that"`; each with `-` to
 * exclude. Tolerates smart quotes and dashes, stray spaces, and Slack's escapes and links.
 * @returns the first error, if any, with its position in `written`.
 */
export function parseQuery(written: string, vocabulary: QueryVocabulary): ParsedQuery {
  if (written.length > MAX_QUERY_LENGTH) {
    const count = written.length.toLocaleString('en-US');
    return {
      kind: 'mistake',
      at: MAX_QUERY_LENGTH,
      length: written.length - MAX_QUERY_LENGTH,
      message: `A query can have up to ${MAX_QUERY_LENGTH} characters. Yours has ${count}.`,
      example: vocabulary.example,
    };
  }
  const forgiven = normalizeQueryText(written);
  const read = readTerms(forgiven.text, vocabulary);
  return read.kind === 'fault'
    ? asMistake(read.fault, forgiven, vocabulary)
    : { kind: 'query', query: { terms: read.value } };
}

function readTerms(text: string, vocabulary: QueryVocabulary): Read<QueryTerm[]> {
  const pieces = tokenizeQuery(text, (name) => findQualifier(vocabulary, name));
  const terms: QueryTerm[] = [];
  for (const [index, { at }] of pieces.entries()) {
    const read = readPiece(pieces, index, text, vocabulary);
    if (read.kind === 'fault') return read;
    terms.push(read.value);
    const message = `A query can have up to ${MAX_QUERY_TERMS} terms.`;
    if (terms.length > MAX_QUERY_TERMS) return wrong({ at, end: text.length, message, instead: '' });
  }
  return { kind: 'right', value: terms };
}

function readPiece(
  pieces: readonly QueryToken[],
  index: number,
  text: string,
  vocabulary: QueryVocabulary,
): Read<QueryTerm> {
  const misread = findUnsupportedSyntax(pieces, index, text, vocabulary);
  const piece = pieces[index];
  if (misread) return wrong(misread);
  const read = piece ? readTerm(piece, vocabulary) : wrong(nothing(text.length, text.length));
  const disorder = read.kind === 'right' ? findSortError(pieces, index, vocabulary) : undefined;
  return disorder ? wrong(disorder) : read;
}

function nothing(at: number, end: number): QueryTextError {
  return { at, end, message: "There's nothing to match here.", instead: '' };
}

function readTerm({ what, negated, at, end }: QueryToken, vocabulary: QueryVocabulary): Read<QueryTerm> {
  switch (what.kind) {
    case 'sign':
      return wrong(nothing(at, end));
    case 'word':
      // For example, a lone accent.
      if (foldText(what.text) === '') return wrong(nothing(at, end));
      return { kind: 'right', value: { kind: 'word', text: what.text, negated } };
    case 'phrase':
      if (!what.closed) return wrong(unclosed(at, end, `${negated ? '-' : ''}"${what.text}"`));
      if (foldText(what.text) === '')
        return wrong({ at, end, message: 'These quotes are empty.', instead: '"two words"' });
      return { kind: 'right', value: { kind: 'phrase', text: what.text, negated } };
    case 'qualifier':
      return readQualifier(what, negated, vocabulary);
  }
}

function unclosed(at: number, end: number, instead: string): QueryTextError {
  return { at, end, message: 'The closing quote is missing.', instead };
}

function readQualifier(what: Qualifier, negated: boolean, vocabulary: QueryVocabulary): Read<QueryTerm> {
  const kind = findQualifier(vocabulary, what.name);
  if (!kind) return wrong(unknownName(what, vocabulary));
  const name = what.name.toLowerCase();
  const [first] = what.values;
  const nameEnd = what.nameAt + what.name.length;
  if (!first) {
    const message = `"${name}:" needs a value.`;
    return wrong({ at: what.nameAt, end: nameEnd + 1, message, instead: `${name}:${sampleValue(kind)}` });
  }
  const open = what.values.find(({ closed }) => !closed);
  if (open) return wrong(unclosed(open.at, open.end, `"${open.text}"`));
  const { comparison } = what;
  if (comparison !== '=' && (!isMeasured(kind) || isDirection(name))) {
    const message = `"${name}:" doesn't work with "${comparison}".`;
    return wrong({ at: nameEnd, end: first.at, message, instead: ':' });
  }
  const read = readValues(name, kind, what.values);
  if (read.kind === 'fault') return read;
  const { value, comparison: meant } = read.value;
  if (comparison !== '=' && (meant !== undefined || value.includes('..'))) {
    const message = `A range already sets both ends. Remove "${comparison}".`;
    return wrong({ at: nameEnd, end: first.at, message, instead: ':' });
  }
  const impossible = describeImpossibleComparison(kind, meant ?? comparison, value);
  if (impossible !== undefined) {
    const end = what.values.at(-1)?.end ?? first.end;
    const message = `"${name}:" can't be ${impossible}.`;
    return wrong({ at: nameEnd, end, message, instead: `:${sampleValue(kind)}` });
  }
  return {
    kind: 'right',
    value: { kind: 'qualifier', name, comparison: meant ?? comparison, value, negated },
  };
}

function isMeasured(kind: QualifierKind): boolean {
  return kind.kind === 'number' || kind.kind === 'date';
}

/** `after:` and `before:` contain their comparison in the name. */
function isDirection(name: string): boolean {
  return name === 'after' || name === 'before';
}

type Value = Omit<ValidQualifierValue, 'kind'>;

function readValues(name: string, kind: QualifierKind, values: readonly QueryTokenValue[]): Read<Value> {
  const right: ValidQualifierValue[] = [];
  for (const { at, end, text } of values) {
    const checked = checkQualifierValue(kind, text);
    if (checked.kind === 'wrong') {
      const message = `"${text}" isn't valid for "${name}:". Use ${checked.expected}.`;
      return wrong({ at, end, message, instead: checked.instead });
    }
    if (isDirection(name) && text.includes('..')) {
      const message = `"${name}:" takes one date. For a range, use both after: and before:.`;
      return wrong({ at, end, message, instead: '7d' });
    }
    right.push(checked);
  }
  const [only] = right;
  if (isMeasured(kind) && only) return { kind: 'right', value: only };
  return { kind: 'right', value: { value: joinAlternatives(right.map(({ value }) => value)) } };
}

function unknownName(what: Qualifier, vocabulary: QueryVocabulary): QueryTextError {
  const near = findNearestName(what.name, Object.keys(vocabulary.qualifiers));
  const hint = near === undefined ? `You can use: ${listQualifiers(vocabulary)}` : `Did you mean "${near}:"?`;
  return {
    at: what.nameAt,
    end: what.nameAt + what.name.length,
    message: `There's no "${what.name}:" in ${vocabulary.of}. ${hint}`,
    instead: near,
  };
}

/** `country: skill:` */
export function listQualifiers(vocabulary: QueryVocabulary): string {
  return Object.keys(vocabulary.qualifiers)
    .map((name) => `${name}:`)
    .join(' ');
}

function asMistake(
  fault: QueryTextError,
  { text, places }: NormalizedQueryText,
  vocabulary: QueryVocabulary,
): QueryError {
  const at = places[fault.at] ?? 0;
  const cut = fault.cut ?? fault;
  const corrected =
    fault.instead === undefined ? '' : text.slice(0, cut.at) + fault.instead + text.slice(cut.end);
  const example = corrected.trim();
  // A second error after the first would make the correction invalid.
  const isRight =
    example !== '' &&
    example.length <= MAX_QUERY_LENGTH &&
    readTerms(normalizeQueryText(example).text, vocabulary).kind === 'right';
  return {
    kind: 'mistake',
    at,
    length: (places[fault.end] ?? at) - at,
    message: fault.message,
    example: isRight ? example : vocabulary.example,
  };
}

export function formatQuery(query: Query): string {
  return query.terms
    .map((term) => (term.negated ? '-' : '') + escapeQueryText(printPositive(term)))
    .join(' ');
}

function printPositive(term: QueryTerm): string {
  switch (term.kind) {
    case 'word':
      return term.text;
    case 'phrase':
      return `"${term.text}"`;
    case 'qualifier': {
      const sign = term.comparison === '=' ? '' : term.comparison;
      return `${term.name}:${sign}${splitAlternatives(term.value).map(quoted).join(',')}`;
    }
  }
}

/** Quotes a value that could otherwise parse as more than a value. */
function quoted(value: string): string {
  return /^[\p{L}\p{N}.][^\s",:()]*$/u.test(value) ? value : `"${value}"`;
}
