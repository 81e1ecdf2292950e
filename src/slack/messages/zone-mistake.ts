/** Why what somebody typed is no time zone, and what would be one. */
import type { ReadTimezone } from '../commands/read-timezone.ts';

export type NoTimezone = Exclude<ReadTimezone, { readonly kind: 'zone' }>;

/** For examples where nothing better is known. */
const LARGE_CITY = 'Europe/Berlin';

/** What would have been right, as near as is known to what was typed. */
export function zoneInstead(read: NoTimezone): string {
  if (read.kind === 'abbreviation') return read.instead;
  return (read.kind === 'unknown' ? read.meant : undefined) ?? LARGE_CITY;
}

/** @param words what was typed, quoted and harmless where it is to stand */
export function zoneMistake(words: string, read: NoTimezone): string {
  switch (read.kind) {
    case 'abbreviation':
      return `${words} leaves open where, and so when the clocks change. Name a city: ${read.instead}, for example.`;
    case 'offset':
      return `${words} does not follow the clocks when they change. Name a city: ${LARGE_CITY}, for example.`;
    case 'unknown':
      return read.meant === undefined
        ? `I know no time zone ${words}. Name a large city, for example ${LARGE_CITY}.`
        : `I know no time zone ${words}. Did you mean ${read.meant}?`;
  }
}
