/** On which weekday moments fall where somebody lives. */
import type { Instant } from '../clock.ts';
import { addDays, localTime, localTimeToInstant } from '../schedule/local-time.ts';

/**
 * Remembers the day that it was asked for last, since reading a zone's clock costs more than all the rest of counting, and
 * proposals come in their order.
 * @returns 1 for Monday to 7 for Sunday. @throws RangeError (the function returned) when there is no such zone.
 */
export function createWeekdayReader(timezone: string): (at: Instant) => number {
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
