/** Prints a query so that parsing it gives the same query. Pure. */
import { escapeQueryText } from './normalize-query-text.ts';
import type { ComparisonOperator, Query, QueryTerm } from './query.ts';
import { splitAlternatives } from './values.ts';

export function formatQuery(query: Query): string {
  return query.terms.map(printTerm).join(' ');
}

function printTerm(term: QueryTerm): string {
  return (term.negated ? '-' : '') + escapeQueryText(printPositive(term));
}

function printPositive(term: QueryTerm): string {
  switch (term.kind) {
    case 'word':
      return term.text;
    case 'phrase':
      return `"${term.text}"`;
    case 'qualifier':
      return `${term.name}:${printValue(term.comparison, term.value)}`;
  }
}

function printValue(comparison: ComparisonOperator, value: string): string {
  return (comparison === '=' ? '' : comparison) + splitAlternatives(value).map(quoted).join(',');
}

/** Quotes a value that could otherwise parse as more than a value. */
function quoted(value: string): string {
  return /^[\p{L}\p{N}.][^\s",:()]*$/u.test(value) ? value : `"${value}"`;
}
