/** Suggests broader queries for one without matches. Pure. */
import { formatQuery, parseQuery } from '../query/parse-query.ts';
import { proposalSearchVocabulary } from '../query/proposal-search.ts';
import type { Query, QueryTerm } from '../query/query.ts';

/** Each is a separate search. */
export const MAX_BROADER_QUERIES = 5;

/**
 * Drops one term each, the last one first, and splits phrases into words.
 * @returns valid queries, at most 5; none of them empty.
 */
export function listBroaderQueries({ terms }: Query): readonly string[] {
  const fewer = terms
    .flatMap((term, index) => (isOrder(term) ? [] : [terms.toSpliced(index, 1)]))
    .reverse()
    .filter((left) => left.some((term) => !isOrder(term)));
  const apart = terms.flatMap((term, index) =>
    term.kind === 'phrase' && !term.negated ? [terms.toSpliced(index, 1, ...splitPhrase(term.text))] : [],
  );
  const printed = [...apart, ...fewer]
    .map((left) => formatQuery({ terms: withoutNeedlessOrder(left) }))
    .filter((query) => parseQuery(query, proposalSearchVocabulary).kind === 'query');
  return [...new Set(printed)]
    .filter((query) => query !== formatQuery({ terms }))
    .slice(0, MAX_BROADER_QUERIES);
}

function isOrder(term: QueryTerm): boolean {
  return term.kind === 'qualifier' && term.name === 'sort';
}

function splitPhrase(text: string): readonly QueryTerm[] {
  return text.split(' ').map((word) => ({ kind: 'word', text: word, negated: false }));
}

/** Drops the relevance order when no words are left to rank by. */
function withoutNeedlessOrder(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const hasWords = terms.some((term) => term.kind !== 'qualifier' && !term.negated);
  return hasWords
    ? terms
    : terms.filter((term) => !(term.kind === 'qualifier' && term.value === 'relevance' && isOrder(term)));
}
