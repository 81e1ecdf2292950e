import { expect, test } from 'vitest';
import { findUnknownCountries } from '../../src/query/unknown-countries.ts';

test.each([
  ['country:Germny', [{ written: 'Germny', near: 'Germany' }]],
  ['react -country:Pakstan', [{ written: 'Pakstan', near: 'Pakistan' }]],
  ['country:US,Untied', [{ written: 'Untied' }]],
  [
    'country:"Unitd Kingdom",Atlantis',
    [{ written: 'Unitd Kingdom', near: 'United Kingdom' }, { written: 'Atlantis' }],
  ],
  ['country:Philippnes country:XQ', [{ written: 'Philippnes', near: 'Philippines' }, { written: 'XQ' }]],
])('%s names what no country is called', (rules, unknown) => {
  expect(findUnknownCountries(rules)).toEqual(unknown);
});

test.each([
  'country:US,uk,"united states"',
  'country:"Hong Kong",Macau,"Ivory Coast","Côte d’Ivoire","Bosnia and Herzegovina",' +
    '"Saint Lucia",Burma,Korea',
  'country:"Guinea-Bissau",turkiye',
  'Germny skill:Germny',
  'country:(Germny',
  '',
])('%s names none', (rules) => {
  expect(findUnknownCountries(rules)).toEqual([]);
});
