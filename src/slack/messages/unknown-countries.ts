/** What is told of countries in rules that nobody seems to be called. Pure. */
import { findUnknownCountries } from '../../query/unknown-countries.ts';
import { codeText } from './query-error.ts';

/** Of many rules; more help nobody. */
const MOST = 5;

/** One may be a country all the same, in the marketplace's spelling, so it is told and not refused. mrkdwn. */
export function unknownCountriesText(...rules: readonly string[]): string | undefined {
  const unknown = rules.flatMap((each) => findUnknownCountries(each)).slice(0, MOST);
  if (unknown.length === 0) return undefined;
  const told = unknown.map(({ written, near }) => {
    const meant = near === undefined ? '.' : `. Did you mean ${codeText(near)}?`;
    return `Unknown country: ${codeText(written, 60)}${meant}`;
  });
  return `:warning: ${told.join(' ')} It only matches if the marketplace spells it this way.`;
}
