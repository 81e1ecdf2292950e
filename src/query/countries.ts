/** A country by its name and by its code, since people type either. Pure. */
import { fold } from './fold.ts';

const COMMON: Readonly<Record<string, readonly string[]>> = {
  US: ['USA'],
  GB: ['UK', 'Great Britain'],
  AE: ['UAE'],
  CZ: ['Czech Republic'],
  TR: ['Turkey'],
  MK: ['Macedonia'],
};

let names: ReadonlyMap<string, readonly string[]> | undefined;

/** @returns every way that we know to name the country, its own first. */
export function countryNames(country: string): readonly string[] {
  names ??= listNames();
  return [country, ...(names.get(fold(country)) ?? [])];
}

function listNames(): ReadonlyMap<string, readonly string[]> {
  const display = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, place) => String.fromCharCode(65 + place));
  const found = new Map<string, readonly string[]>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = display.of(code);
    if (name === undefined) continue;
    // Codes of former states have the name of what followed.
    const all = [...(found.get(fold(name)) ?? [name]), code, ...(COMMON[code] ?? [])];
    for (const one of all) found.set(fold(one), all);
  }
  return found;
}
