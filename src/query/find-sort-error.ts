/** Finds errors in a sorting qualifier such as `sort:`, which applies to the whole query. Pure. */

import type { QualifierKind, QueryVocabulary } from './query.ts';
import type { QueryToken } from './tokenize-query.ts';
import type { QueryTextError } from './unsupported-syntax.ts';

type Order = Extract<QualifierKind, { kind: 'order' }>;

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
  if (!kind.withWords.includes(value.toLowerCase()) || pieces.some(isWords)) return undefined;
  const instead = kind.choices.find((choice) => !kind.withWords.includes(choice)) ?? '';
  const message = `"${name}:${value}" needs at least one search word.`;
  return { at, end, message, instead: `${name}:${instead}` };
}

interface ReadOrder {
  readonly name: string;
  readonly kind: Order;
  readonly value: string;
}

function readOrder({ what }: QueryToken, vocabulary: QueryVocabulary): ReadOrder | undefined {
  if (what.kind !== 'qualifier') return undefined;
  const name = what.name.toLowerCase();
  const kind = Object.hasOwn(vocabulary.qualifiers, name) ? vocabulary.qualifiers[name] : undefined;
  return kind?.kind === 'order' ? { name, kind, value: what.values[0]?.text ?? '' } : undefined;
}

function isWords({ what, negated }: QueryToken): boolean {
  return !negated && (what.kind === 'word' || what.kind === 'phrase');
}
