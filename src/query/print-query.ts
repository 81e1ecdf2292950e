/** Writes a query so that reading it gives the same query. Pure. */
import { protect } from './forgive.ts';
import type { Comparison, Query, Term } from './query.ts';
import { splitAlternatives } from './values.ts';

export function printQuery(query: Query): string {
  return query.terms.map(printTerm).join(' ');
}

function printTerm(term: Term): string {
  return (term.negated ? '-' : '') + protect(printPositive(term));
}

function printPositive(term: Term): string {
  switch (term.kind) {
    case 'word':
      return term.text;
    case 'phrase':
      return `"${term.text}"`;
    case 'qualifier':
      return `${term.name}:${printValue(term.comparison, term.value)}`;
  }
}

function printValue(comparison: Comparison, value: string): string {
  return (comparison === '=' ? '' : comparison) + splitAlternatives(value).map(quoted).join(',');
}

/** In quotes where something in it could be read as more than a value. */
function quoted(value: string): string {
  return /^[\p{L}\p{N}.][^\s",:()]*$/u.test(value) ? value : `"${value}"`;
}
