/** Finds unknown country names in a query: a typo there drops every project without any sign. Pure. */
import { isKnownCountry, suggestCountry } from './countries.ts';
import { parseQuery } from './parse-query.ts';
import { projectRuleVocabulary } from './project-rules.ts';
import { splitAlternatives } from './values.ts';

/** More don't help, and finding near names takes time. */
const MOST = 3;

export interface UnknownCountry {
  readonly written: string;
  readonly near?: string;
}

/** The first unknown ones. @param rules of a filter; unparsable rules give none. */
export function findUnknownCountries(rules: string): readonly UnknownCountry[] {
  const parsed = parseQuery(rules, projectRuleVocabulary);
  if (parsed.kind === 'mistake') return [];
  const countries = parsed.query.terms.flatMap((term) =>
    term.kind === 'qualifier' && term.name === 'country' ? splitAlternatives(term.value) : [],
  );
  const unknown = countries.filter((country) => !isKnownCountry(country));
  return unknown.slice(0, MOST).map((written) => {
    const near = suggestCountry(written);
    return near === undefined ? { written } : { written, near };
  });
}
