/** Countries in a query that nobody seems to be called: a typing error costs every project, and looks like silence. Pure. */
import { isKnownCountry, suggestCountry } from './countries.ts';
import { parseQuery } from './parse-query.ts';
import { projectRuleVocabulary } from './project-rules.ts';
import { splitAlternatives } from './values.ts';

/** More help nobody, and to look for what is near takes time. */
const MOST = 3;

export interface UnknownCountry {
  readonly written: string;
  /** The nearest that is known. */
  readonly near?: string;
}

/** The first of them. @param rules of a filter; those that can't be read name no country. */
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
