/** Finds the weekday of an instant in a time zone. */
import type { Instant } from '../clock.ts';
import { addDays, localTime, localTimeToInstant } from '../schedule/local-time.ts';

/**
 * Caches the last day: proposals come in order, and a time zone conversion costs more than all the counting.
 * @returns 1 for Monday to 7 for Sunday. @throws RangeError (the returned function) for an invalid zone.
 */
export function createWeekdayCalculator(timezone: string): (at: Instant) => number {
  let known = { from: 0, to: 0, weekday: 0 };
  return (at) => {
    if (at < known.from || at >= known.to) {
      const { day, weekday } = localTime(at, timezone);
      known = {
        from: localTimeToInstant(day, 0, timezone),
        to: localTimeToInstant(addDays(day, 1), 0, timezone),
        weekday,
      };
    }
    return known.weekday;
  };
}
