/** Parses a duration as people write it. Pure. */
import { DAY, HOUR, MINUTE } from '../../../clock.ts';

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:m|min|mins|minutes?)$/u, MINUTE],
  [/^(?:h|hrs?|hours?)$/u, HOUR],
  [/^(?:d|days?)$/u, DAY],
  [/^(?:w|weeks?)$/u, 7 * DAY],
];

export const LONGEST_PAUSE_MS = 90 * DAY;

const PART = /(\d{1,5}(?:\.\d{1,2})?) ?([a-z]+)(?:,? and(?= ))?,? ?/gu;

/**
 * `30m`, `1h 30m`, `1.5 hours`, `for 2 days`: in ms, from a minute to 90 days; undefined for anything else.
 */
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
  return ms >= MINUTE && ms <= LONGEST_PAUSE_MS ? ms : undefined;
}
