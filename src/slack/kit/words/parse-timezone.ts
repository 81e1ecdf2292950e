/** Parses a time zone as people type it: its name in upper or lower case, or only its city. Pure. */
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { findNearestName } from '../../../query/words.ts';
import { isTimezone } from '../../../schedule/local-time.ts';

export type TimezoneParseResult =
  | { readonly kind: 'zone'; readonly timezone: string }
  /** `CET` names no place: its clocks may or may not change twice a year. */
  | { readonly kind: 'abbreviation'; readonly instead: string }
  /** `UTC+2`: as ambiguous as an abbreviation. */
  | { readonly kind: 'offset' }
  | { readonly kind: 'unknown'; readonly meant?: string };

/** Where most people who use the abbreviation are. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  cet: 'Europe/Berlin',
  cest: 'Europe/Berlin',
  met: 'Europe/Berlin',
  mez: 'Europe/Berlin',
  mesz: 'Europe/Berlin',
  wet: 'Europe/Lisbon',
  west: 'Europe/Lisbon',
  bst: 'Europe/London',
  eet: 'Europe/Helsinki',
  eest: 'Europe/Helsinki',
  msk: 'Europe/Moscow',
  trt: 'Europe/Istanbul',
  et: 'America/New_York',
  est: 'America/New_York',
  edt: 'America/New_York',
  ct: 'America/Chicago',
  cst: 'America/Chicago',
  cdt: 'America/Chicago',
  mt: 'America/Denver',
  mst: 'America/Denver',
  mdt: 'America/Denver',
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  hst: 'Pacific/Honolulu',
  brt: 'America/Sao_Paulo',
  art: 'America/Argentina/Buenos_Aires',
  gst: 'Asia/Dubai',
  pkt: 'Asia/Karachi',
  ist: 'Asia/Kolkata',
  sgt: 'Asia/Singapore',
  pht: 'Asia/Manila',
  hkt: 'Asia/Hong_Kong',
  jst: 'Asia/Tokyo',
  kst: 'Asia/Seoul',
  aest: 'Australia/Sydney',
  aedt: 'Australia/Sydney',
  awst: 'Australia/Perth',
  nzst: 'Pacific/Auckland',
  nzdt: 'Pacific/Auckland',
};

const UTC = new Set(['utc', 'gmt', 'z', 'zulu', 'etc/utc', 'etc/gmt']);
/** Also `Etc/GMT+5`, which surprisingly is five hours behind. */
const OFFSET = /^(?:(?:etc\/)?(?:utc|gmt))?[+-]\d{1,2}(?::?\d{2})?$/u;
const LONGEST = 60;

interface Known {
  /** By lowercase name. */
  readonly names: ReadonlyMap<string, string>;
  /** By the last part of the name. */
  readonly cities: ReadonlyMap<string, string>;
  readonly areas: readonly string[];
}

let known: Known | undefined;

/** Computed once, on first use. */
function knownZones(): Known {
  if (known) return known;
  const all = Intl.supportedValuesOf('timeZone');
  const cities = new Map<string, string>();
  for (const name of all) cities.set(cityOf(name).toLowerCase(), name);
  known = {
    names: new Map(all.map((name) => [name.toLowerCase(), name])),
    cities,
    areas: [...new Set(all.map((name) => name.slice(0, name.indexOf('/'))))],
  };
  return known;
}

function cityOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Capitalizes `asia/ho_chi_minh` to `Asia/Ho_Chi_Minh`, for names that this machine lists differently. */
function asWritten(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/gu, (letter) => letter.toUpperCase());
}

/** The name of a zone, or the only zone in the world with that city. */
function findZone(typed: string): string | undefined {
  const { names, cities, areas } = knownZones();
  const found = names.get(typed) ?? cities.get(typed);
  if (found !== undefined) return found;
  if (typed.includes('/')) return isTimezone(typed) ? asWritten(typed) : undefined;
  // Renamed cities, and countries with one zone: `Kolkata`, `Japan`.
  const area = areas.find((each) => isTimezone(`${each}/${typed}`));
  if (area !== undefined) return `${area}/${asWritten(typed)}`;
  return typed.length > 3 && isTimezone(typed) ? asWritten(typed) : undefined;
}

function findNear(typed: string): string | undefined {
  const { names, cities } = knownZones();
  if (typed.includes('/')) {
    const name = findNearestName(typed, [...names.keys()]);
    return name === undefined ? undefined : names.get(name);
  }
  const city = findNearestName(typed, [...cities.keys()]);
  return city === undefined ? undefined : cities.get(city);
}

/** `Europe/Berlin`, `europe/berlin`, `Berlin`, `new york`, `UTC`. */
export function parseTimezone(written: string): TimezoneParseResult {
  const typed = written
    .trim()
    .toLowerCase()
    .replace(/\s*\/\s*/gu, '/')
    .replace(/\s+/gu, '_');
  if (UTC.has(typed)) return { kind: 'zone', timezone: 'UTC' };
  if (OFFSET.test(typed)) return { kind: 'offset' };
  const instead = Object.hasOwn(ABBREVIATIONS, typed) ? ABBREVIATIONS[typed] : undefined;
  if (instead !== undefined) return { kind: 'abbreviation', instead };
  if (typed === '' || typed.length > LONGEST) return { kind: 'unknown' };
  const timezone = findZone(typed);
  if (timezone !== undefined) return { kind: 'zone', timezone };
  const meant = findNear(typed);
  return { kind: 'unknown', ...omitUndefined({ meant }) };
}
