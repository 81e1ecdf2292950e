/** Why the user's input is not a time zone, and a valid suggestion. Pure. */
import type { TimezoneParseResult } from './parse-timezone.ts';

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
