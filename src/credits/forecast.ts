/** Forecasts when a budget runs out at the current pace. Pure. */
import { HOUR, type Instant } from '../clock.ts';

/** Less time isn't enough to estimate a month's pace. */
const EARLIEST_MS = 6 * HOUR;

export interface RunOutForecastInput {
  readonly spent: number;
  readonly left: number;
  /** Start of the counting of `spent`. */
  readonly since: Instant;
  readonly resetsAt: Instant;
}

/** Whether the time since `since` is too short for a forecast. */
export function isTooEarlyToForecast(since: Instant, now: Instant): boolean {
  return now - since < EARLIEST_MS;
}

/**
 * When `left` runs out at the pace since `spending.since`.
 * @returns undefined if that isn't before the reset, nothing was spent, or within the first six hours
 */
export function forecastRunOut(spending: RunOutForecastInput, now: Instant): Instant | undefined {
  const elapsedMs = now - spending.since;
  if (spending.spent <= 0 || isTooEarlyToForecast(spending.since, now)) return undefined;
  const runsOutAt = now + Math.round((Math.max(spending.left, 0) * elapsedMs) / spending.spent);
  return runsOutAt < spending.resetsAt ? runsOutAt : undefined;
}
