/** Times in the digest's time zone, in words: everyone in the channel reads the same. Pure. */
import type { Instant } from '../../clock.ts';
import {
  daysBetween,
  findWeekday,
  formatTimeOfDay,
  isTimezone,
  type LocalDay,
  localTime,
} from '../../schedule/local-time.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Reads a time zone unknown to this machine (from another machine's records) as UTC. */
function local(at: Instant, timezone: string) {
  return localTime(at, isTimezone(timezone) ? timezone : 'UTC');
}

/** `Thu, Nov 19` */
function dayWords(day: LocalDay): string {
  const [, month = 1, date = 1] = day.split('-').map(Number);
  return `${WEEKDAYS[findWeekday(day) - 1]}, ${MONTHS[month - 1]} ${date}`;
}

/** `Thu, Nov 19` */
export function formatShortDate(at: Instant, timezone: string): string {
  return dayWords(local(at, timezone).day);
}

/** `Thu, Nov 19 at 9:00 AM` */
function momentText(at: Instant, timezone: string): string {
  return `${formatShortDate(at, timezone)} at ${formatTimeOfDay(local(at, timezone).minute)}`;
}

/** `today at 9:00 AM`, `yesterday at …`, `Mon at …` within a week, else `Mon, Nov 9 at 9:00 AM`. */
export function formatPastTime(at: Instant, now: Instant, timezone: string): string {
  const then = local(at, timezone);
  const days = daysBetween(then.day, local(now, timezone).day);
  const clock = formatTimeOfDay(then.minute);
  if (days === 0) return `today at ${clock}`;
  if (days === 1) return `yesterday at ${clock}`;
  const day = days > 0 && days < 7 ? WEEKDAYS[then.weekday - 1] : dayWords(then.day);
  return `${day} at ${clock}`;
}

/** `today at 5:00 PM`, `tomorrow at 9:00 AM`, else `Mon, Nov 23 at 9:00 AM`. */
export function formatUpcomingTime(at: Instant, now: Instant, timezone: string): string {
  const then = local(at, timezone);
  const days = daysBetween(local(now, timezone).day, then.day);
  if (days > 1 || days < 0) return momentText(at, timezone);
  return `${days === 0 ? 'today' : 'tomorrow'} at ${formatTimeOfDay(then.minute)}`;
}

/** Calendar days between two moments. */
export function daysUntil(from: Instant, to: Instant, timezone: string): number {
  return daysBetween(local(from, timezone).day, local(to, timezone).day);
}
