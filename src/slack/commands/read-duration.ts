/** How long, as people write it. Pure. */
import { DAY, HOUR, MINUTE } from '../../clock.ts';

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:m|min|mins|minutes?)$/u, MINUTE],
  [/^(?:h|hrs?|hours?)$/u, HOUR],
  [/^(?:d|days?)$/u, DAY],
  [/^(?:w|weeks?)$/u, 7 * DAY],
];

export const LONGEST_PAUSE_MS = 90 * DAY;

/** `30m`, `2h`, `1.5 hours`, `for 2 days`: milliseconds, from a minute to 90 days; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const found = /^(?:for )?(\d{1,5}(?:\.\d{1,2})?) ?([a-z]+)$/u.exec(
    text.trim().toLowerCase().replace(/\s+/gu, ' '),
  );
  const unit = UNITS.find(([name]) => name.test(found?.[2] ?? ''))?.[1];
  if (!found || unit === undefined) return undefined;
  const ms = Number(found[1]) * unit;
  return ms >= MINUTE && ms <= LONGEST_PAUSE_MS ? ms : undefined;
}
