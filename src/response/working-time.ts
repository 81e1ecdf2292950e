/**
 * Working hours of a channel: whether a moment is within them, and when a span of working time is over. Safe
 * across daylight saving time: a skipped hour doesn't count, a repeated one counts twice. Pure.
 */
import type { Instant } from '../clock.ts';
import {
  addDays,
  findWeekday,
  type LocalDay,
  localTime,
  localTimeToInstant,
} from '../schedule/local-time.ts';

export interface WorkingHours {
  /** Minutes of the local day; `from` may be later than `to` (night shifts). Missing: all day. */
  readonly hours?: { readonly from: number; readonly to: number } | undefined;
  /** 1 is Monday, 7 is Sunday: the days on which work begins. At least one. */
  readonly days: readonly number[];
  /** IANA name, known to this machine. */
  readonly timezone: string;
}

interface Stretch {
  readonly from: Instant;
  readonly until: Instant;
}

const ALL_DAYS = 7;
/** The longest span of the settings is shorter, even with an hour of work a week. */
const MOST_DAYS = 800;

function stretchOf({ hours, timezone }: WorkingHours, day: LocalDay): Stretch {
  const next = addDays(day, 1);
  if (!hours)
    return { from: localTimeToInstant(day, 0, timezone), until: localTimeToInstant(next, 0, timezone) };
  return {
    from: localTimeToInstant(day, hours.from, timezone),
    until: localTimeToInstant(hours.from < hours.to ? day : next, hours.to, timezone),
  };
}

/** The stretches that end after `from`, in order, without overlaps. */
function* workingStretches(work: WorkingHours, from: Instant): Generator<Stretch> {
  // Yesterday's night shift may last until today.
  const first = addDays(localTime(from, work.timezone).day, -1);
  let behind = from;
  for (let days = 0; days < MOST_DAYS; days++) {
    const day = addDays(first, days);
    if (!work.days.includes(findWeekday(day))) continue;
    const stretch = stretchOf(work, day);
    const begins = Math.max(stretch.from, behind);
    if (begins >= stretch.until) continue;
    behind = stretch.until;
    yield { from: begins, until: stretch.until };
  }
}

/**
 * When `ms` of working time after `start` are over; always a moment within working hours. 0 ms: `start`, or
 * when work begins next.
 */
export function addWorkingTime(start: Instant, ms: number, work: WorkingHours): Instant {
  if (!work.hours && new Set(work.days).size >= ALL_DAYS) return start + ms;
  let left = ms;
  for (const { from, until } of workingStretches(work, start)) {
    // A span that ends with the working day is over when work begins again.
    if (left < until - from) return from + left;
    left -= until - from;
  }
  return start + ms;
}

export function isWorkingTime(at: Instant, work: WorkingHours): boolean {
  return addWorkingTime(at, 0, work) === at;
}
