/**
 * Rare reads further back, for projects that a filter lists long after their date: because they were checked
 * first, made public later, or the filter became wider. Repeats within a billing period cost nothing. Pure.
 */
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../clock.ts';
import { MAX_PROJECTS_PAGE_SIZE } from '../credits/credits.ts';
import type { FetchedPage } from './page-continuation.ts';
import type { FilterState } from './records.ts';
import { getInclusiveStartTimestamp, type TimestampUnit } from './timestamps.ts';

const LATE_CHECK_MS = HOUR;
const LOOK_BACK_MS = DAY;
/** Of the largest size, for each check. */
export const LATE_CHECK_PAGES = 5;
/** One of so many reads is a check at most: each delays all new projects. */
const READS_PER_CHECK = 100;

/**
 * How often a filter is checked: hourly, or less if checks would take more than 1% of the reads.
 * @param rate the filter's projects per second
 * @param filters how many are read
 * @param readsPerMinute of all filters together
 */
export function computeLateCheckIntervalMs(rate: number, filters: number, readsPerMinute: number): number {
  const pages = Math.ceil((rate * LOOK_BACK_MS) / SECOND / MAX_PROJECTS_PAGE_SIZE);
  const reads = Math.min(Math.max(1, pages), LATE_CHECK_PAGES) * filters;
  return Math.max(LATE_CHECK_MS, (reads * READS_PER_CHECK * MINUTE) / readsPerMinute);
}

/**
 * When the filter is due for a check; undefined: not now. Where repeats may cost credits, or the filter is
 * still being read, there are none.
 * @param intervalMs see `computeLateCheckIntervalMs`
 */
export function findNextLateCheckTime(
  state: Partial<FilterState>,
  now: Instant,
  intervalMs = LATE_CHECK_MS,
): Instant | undefined {
  const { marks = [], gaps = [], freeSince, lastLateAt = 0, lastPeriodEnd, ignoresLatest } = state;
  if (marks.length === 0 || gaps.length > 0 || ignoresLatest) return undefined;
  if (freeSince === undefined || lastPeriodEnd === undefined) return undefined;
  // A future time comes from a clock that was wrong.
  return Math.max(freeSince, lastLateAt > now ? 0 : lastLateAt) + intervalMs;
}

/** @returns the `latest_published_ts` to send: no project that an earlier billing period paid for */
export function getLateCheckStart(
  { freeSince = 0 }: Pick<FilterState, 'freeSince'>,
  startsAt: Instant,
  unit: TimestampUnit,
  now: Instant,
): number {
  return getInclusiveStartTimestamp(Math.max(now - LOOK_BACK_MS, startsAt, freeSince), unit);
}

/** A page of mostly unknown projects shows no late ones, but a filter that became wider: the check ends. */
export function isMostlyNew({ items }: Pick<FetchedPage, 'items'>): boolean {
  return items.filter(({ known }) => !known).length * 2 > items.length;
}
