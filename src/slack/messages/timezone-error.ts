/** Why what somebody typed is no time zone, and what would be one. */
import type { TimezoneParseResult } from '../commands/parse-timezone.ts';

export type InvalidTimezone = Exclude<TimezoneParseResult, { readonly kind: 'zone' }>;

/** For examples where nothing better is known. */
const LARGE_CITY = 'Europe/Berlin';

/** What would have been right, as near as is known to what was typed. */
export function suggestTimezone(read: InvalidTimezone): string {
  if (read.kind === 'abbreviation') return read.instead;
  return (read.kind === 'unknown' ? read.meant : undefined) ?? LARGE_CITY;
}

/** @param words what was typed, quoted and harmless where it is to stand */
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
