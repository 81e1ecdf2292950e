/** Parses durations, times of day and time zones as people type them. Pure. */
import { DAY, HOUR, MINUTE } from '../../../clock.ts';
import { findNearestName } from '../../../query/words.ts';
import { isTimezone } from '../../../schedule/local-time.ts';

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:m|min|mins|minutes?)$/u, MINUTE],
  [/^(?:h|hrs?|hours?)$/u, HOUR],
  [/^(?:d|days?)$/u, DAY],
  [/^(?:w|weeks?)$/u, 7 * DAY],
];

const PART = /(\d{1,5}(?:\.\d{1,2})?) ?([a-z]+)(?:,? and(?= ))?,? ?/gu;

/** `30m`, `1h 30m`, `1.5 hours`, `for 2 days`: in ms, a minute to 90 days; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const asked = text.trim().toLowerCase().replace(/\s+/gu, ' ').replace(/^for /u, '');
  const parts = [...asked.matchAll(PART)];
  if (parts.map(([whole]) => whole).join('') !== asked) return undefined;
  let ms = 0;
  for (const [, amount, name = ''] of parts) {
    const unit = UNITS.find(([known]) => known.test(name))?.[1];
    if (unit === undefined) return undefined;
    ms += Number(amount) * unit;
  }
  return ms >= MINUTE && ms <= 90 * DAY ? ms : undefined;
}

const NAMED: Readonly<Record<string, number>> = { noon: 12 * 60, midday: 12 * 60, midnight: 0 };

/** Within other words: not part of a name (`Etc/GMT+5`) or of a longer number. */
const TIME = new RegExp(
  String.raw`(?<![\p{L}\d_/+:.-])(?:at )?` +
    String.raw`(noon|midday|midnight|\d{1,4}(?:[:.h]\d{1,3})?` +
    String.raw`(?: ?(?:[ap]\.?m?\.?(?![\p{L}/]))| ?o['’]?clock|h(?![\p{L}]))?)` +
    String.raw`(?![\p{L}\d_/:])`,
  'u',
);

/** The first time of day in a lowercase text, and the text around it. */
export function extractTimeOfDay(text: string): { readonly time: string; readonly rest: string } | undefined {
  const found = TIME.exec(text);
  if (!found?.[1]) return undefined;
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
  return { time: found[1].trim(), rest: rest.trim() };
}

const WRITTEN = /^(\d{1,2})(?:[:.h](\d{2}))?h? ?(?:([ap])\.?m?\.?|o['’]?clock)?$/u;
const TOGETHER = /^(\d{2})(\d{2})$/u;

/** `9`, `9:00`, `09.00`, `0900`, `9am`, `9:30 pm`, `noon`: the minute of the day, 0 to 1439. `24:00` is 0. */
export function parseTimeOfDay(text: string): number | undefined {
  const typed = text.trim().toLowerCase();
  if (Object.hasOwn(NAMED, typed)) return NAMED[typed];
  const [, hours = '', minutes = '0', half] = TOGETHER.exec(typed) ?? WRITTEN.exec(typed) ?? [];
  if (hours === '') return undefined;
  const [hour, minute] = [Number(hours), Number(minutes)];
  if (minute > 59) return undefined;
  if (half === undefined) return hour < 24 ? hour * 60 + minute : hour === 24 && minute === 0 ? 0 : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return ((hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minute;
}

type TimezoneParseResult =
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
  for (const name of all) cities.set(name.slice(name.lastIndexOf('/') + 1).toLowerCase(), name);
  known = {
    names: new Map(all.map((name) => [name.toLowerCase(), name])),
    cities,
    areas: [...new Set(all.map((name) => name.slice(0, name.indexOf('/'))))],
  };
  return known;
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
  const lower = written.trim().toLowerCase();
  const typed = lower.replace(/\s*\/\s*/gu, '/').replace(/\s+/gu, '_');
  if (UTC.has(typed)) return { kind: 'zone', timezone: 'UTC' };
  if (OFFSET.test(typed)) return { kind: 'offset' };
  const instead = Object.hasOwn(ABBREVIATIONS, typed) ? ABBREVIATIONS[typed] : undefined;
  if (instead !== undefined) return { kind: 'abbreviation', instead };
  if (typed === '' || typed.length > 60) return { kind: 'unknown' };
  const timezone = findZone(typed);
  if (timezone !== undefined) return { kind: 'zone', timezone };
  const meant = findNear(typed);
  return { kind: 'unknown', meant };
}

export type InvalidTimezone = Exclude<TimezoneParseResult, { readonly kind: 'zone' }>;

/** The example if nothing better is known. */
const LARGE_CITY = 'Europe/Berlin';

/** A valid time zone, as close as possible to the input. */
export function suggestTimezone(read: InvalidTimezone): string {
  if (read.kind === 'abbreviation') return read.instead;
  return (read.kind === 'unknown' ? read.meant : undefined) ?? LARGE_CITY;
}

/** @param words the user's input, already quoted and safe if it should show */
export function timezoneErrorText(words: string, read: InvalidTimezone): string {
  switch (read.kind) {
    case 'abbreviation':
      return `${words} doesn't say when the clocks change. Use a city instead, for example ${read.instead}.`;
    case 'offset':
      return `${words} ignores daylight saving time. Use a city instead, for example ${LARGE_CITY}.`;
    case 'unknown':
      return read.meant === undefined
        ? `Unknown time zone: ${words}. Use a large city, for example ${LARGE_CITY}.`
        : `Unknown time zone: ${words}. Did you mean ${read.meant}?`;
  }
}
