/** When a budget runs out at the present pace. Pure. */
import { HOUR, type Instant } from '../clock.ts';

/** A shorter time says nothing about a month's pace. */
const EARLIEST_MS = 6 * HOUR;

export interface Spending {
  readonly spent: number;
  readonly left: number;
  /** Since when `spent` was counted. */
  readonly since: Instant;
  readonly resetsAt: Instant;
}

/** Whether what was spent since `since` tells no pace yet. */
export function isTooEarlyToForecast(since: Instant, now: Instant): boolean {
  return now - since < EARLIEST_MS;
}

/**
 * When `left` is used up if it goes on as since `spending.since`.
 * @returns undefined when that is not before the reset, when nothing was spent, or in the first six hours.
 */
export function forecastRunOut(spending: Spending, now: Instant): Instant | undefined {
  const elapsedMs = now - spending.since;
  if (spending.spent <= 0 || isTooEarlyToForecast(spending.since, now)) return undefined;
  const runsOutAt = now + Math.round((Math.max(spending.left, 0) * elapsedMs) / spending.spent);
  return runsOutAt < spending.resetsAt ? runsOutAt : undefined;
}
