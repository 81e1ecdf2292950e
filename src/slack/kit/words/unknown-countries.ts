/** A warning about unknown country names in rules. Pure. */
import { findUnknownCountries } from '../../../query/project-rules.ts';
import { codeText } from '../query-error.ts';

/** More would not help. */
const MOST = 5;

/** Warns instead of rejecting: one may be a country in the marketplace's spelling. mrkdwn. */
export function unknownCountriesText(...rules: readonly string[]): string | undefined {
  const unknown = rules.flatMap((each) => findUnknownCountries(each)).slice(0, MOST);
  if (unknown.length === 0) return undefined;
  const told = unknown.map(({ written, near }) => {
    const meant = near === undefined ? '.' : `. Did you mean ${codeText(near)}?`;
    return `Unknown country: ${codeText(written, 60)}${meant}`;
  });
  return `:warning: ${told.join(' ')} It only matches if the marketplace spells it this way.`;
}
