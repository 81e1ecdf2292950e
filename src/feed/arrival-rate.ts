/** Estimates how often a filter finds projects. Pure. */
import { HOUR, SECOND } from '../clock.ts';

/** Projects per second, and the seconds of observation behind that estimate. */
interface ArrivalRate {
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * 10 per hour, with the weight of 15 minutes of observation: a new filter is polled soon and adapts quickly.
 */
export const NEW_FILTER_ARRIVAL_RATE: ArrivalRate = { perSecond: 10 / 3_600, seconds: 900 };

/** Older observations fade: a filter that is quiet at night recovers in the morning. */
const MEMORY_SECONDS = (6 * HOUR) / SECOND;

/** The rate after `arrived` more projects; `elapsedSeconds` is 0 if their time was counted already. */
export function updateArrivalRate(rate: ArrivalRate, arrived: number, elapsedSeconds: number): ArrivalRate {
  const watched = rate.seconds + Math.max(0, elapsedSeconds);
  const perSecond = (rate.perSecond * rate.seconds + arrived) / watched;
  return { perSecond, seconds: Math.min(watched, MEMORY_SECONDS) };
}
