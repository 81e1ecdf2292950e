/**
 * Rare reads further back, for projects that a filter lists long after their date: because they were checked
 * first, made public later, or the filter became wider. Repeats within a billing period cost nothing. Pure.
 */
import { DAY, HOUR, type Instant } from '../clock.ts';
import type { FetchedPage } from './page-continuation.ts';
import type { FilterState } from './records.ts';
import { getInclusiveStartTimestamp, type TimestampUnit } from './timestamps.ts';

const LATE_CHECK_MS = HOUR;
const LOOK_BACK_MS = DAY;
/** Of the largest size, for each check. */
export const LATE_CHECK_PAGES = 5;

/**
 * When the filter is due for a check; undefined: not now. Where repeats may cost credits, or the filter is
 * still being read, there are none.
 */
export function findNextLateCheckTime(state: Partial<FilterState>, now: Instant): Instant | undefined {
  const { marks = [], gaps = [], freeSince, lastLateAt = 0, lastPeriodEnd, ignoresLatest } = state;
  if (marks.length === 0 || gaps.length > 0 || ignoresLatest) return undefined;
  if (freeSince === undefined || lastPeriodEnd === undefined) return undefined;
  // A future time comes from a clock that was wrong.
  return Math.max(freeSince, lastLateAt > now ? 0 : lastLateAt) + LATE_CHECK_MS;
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
