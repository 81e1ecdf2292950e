/** Matches countries by name or code, since people type either. Pure. */
import { foldText } from './fold.ts';
import { findNearestName } from './nearest-names.ts';

/** In addition to the names of `Intl`. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  US: ['USA', 'United States of America'],
  GB: ['UK', 'Great Britain'],
  AE: ['UAE'],
  CD: ['DR Congo', 'Democratic Republic of the Congo'],
  CG: ['Congo', 'Republic of the Congo'],
  CI: ['Ivory Coast'],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic'],
  HK: ['Hong Kong'],
  KR: ['Korea', 'Republic of Korea'],
  MK: ['Macedonia'],
  MM: ['Myanmar', 'Burma'],
  MO: ['Macao', 'Macau'],
  PS: ['Palestine', 'Palestinian Territory'],
  RU: ['Russian Federation'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkey'],
  VA: ['Holy See'],
  VN: ['Viet Nam'],
};

let names: ReadonlyMap<string, readonly string[]> | undefined;

/** @returns every known name of the country, its own first. */
export function listNamesOfCountry(country: string): readonly string[] {
  names ??= listNames();
  return [country, ...(names.get(foldText(country)) ?? [])];
}

/** Whether the name or code is known here; the marketplace may know more. */
export function isKnownCountry(written: string): boolean {
  names ??= listNames();
  return names.has(foldText(written));
}

export function suggestCountry(written: string): string | undefined {
  names ??= listNames();
  const isCode = (name: string) => name.length <= 3;
  return findNearestName(
    written,
    [...new Set([...names.values()].flat())].filter((name) => !isCode(name)),
  );
}

/** Spells out abbreviations, as in `Bosnia & Herzegovina` and `St. Lucia`. */
function inFull(name: string): readonly string[] {
  const full = name.replace(' & ', ' and ').replace(/^St\. /, 'Saint ');
  return full === name ? [] : [full];
}

function listNames(): ReadonlyMap<string, readonly string[]> {
  const display = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, place) => String.fromCharCode(65 + place));
  const found = new Map<string, readonly string[]>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = display.of(code);
    if (name === undefined) continue;
    // Codes of former states have the name of their successor.
    const all = [...(found.get(foldText(name)) ?? [name]), code, ...inFull(name), ...(COMMON[code] ?? [])];
    for (const one of all) found.set(foldText(one), all);
  }
  return found;
}
