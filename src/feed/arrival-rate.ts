/** How often a filter finds something, learned from what came. Pure. */
import { HOUR, SECOND } from '../clock.ts';

/** Projects a second, and how many seconds of watching that rests on. */
interface ArrivalRate {
  readonly perSecond: number;
  readonly seconds: number;
}

/** Ten an hour, as firmly believed as a quarter of an hour of watching: a new filter is polled soon, and quickly known. */
export const NEW_FILTER_RATE: ArrivalRate = { perSecond: 10 / 3_600, seconds: 900 };

/** What is older than this fades: a filter that is quiet at night wakes up in the morning. */
const MEMORY_SECONDS = (6 * HOUR) / SECOND;

/** The rate after `arrived` projects in `elapsedSeconds` more; 0 seconds adds projects of a time that is counted already. */
export function updateArrivalRate(rate: ArrivalRate, arrived: number, elapsedSeconds: number): ArrivalRate {
  const watched = rate.seconds + Math.max(0, elapsedSeconds);
  const perSecond = (rate.perSecond * rate.seconds + arrived) / watched;
  return { perSecond, seconds: Math.min(watched, MEMORY_SECONDS) };
}
