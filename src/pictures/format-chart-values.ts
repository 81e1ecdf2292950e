/** Formats numbers and dates for charts. Pure. */
import type { Instant } from '../clock.ts';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** From here on only the magnitude matters, and all digits would fill the chart. */
const LONG = 1_000_000;

/** `412`, `12,345`, `1.2M` */
export function formatChartNumber(value: number): string {
  return Math.abs(value) < LONG ? whole.format(value) : compact.format(value);
}

/** `1 project`, `1,200 projects` */
export function formatChartCount(value: number, noun: string): string {
  return `${formatChartNumber(value)} ${value === 1 ? noun : `${noun}s`}`;
}

/**
 * A share of a whole: `82%`. Never `0%` for something, nor `100%` for less than all.
 * @returns undefined when the whole is 0.
 */
export function formatChartPercent(part: number, of: number): string | undefined {
  if (of <= 0) return undefined;
  const ratio = part / of;
  if (ratio > 0 && ratio < 0.01) return '<1%';
  if (ratio > 0.99 && ratio < 1) return '>99%';
  return `${formatChartNumber(Math.round(ratio * 100))}%`;
}

/** `Nov 24`, in the time zone (IANA name). @throws RangeError when there is no such zone. */
export function formatChartDay(at: Instant, timezone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: timezone, day: 'numeric', month: 'short' }).format(at);
}

/** `9 AM`. @param hour 0 to 23. */
export function formatChartHour(hour: number): string {
  return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `A`, `A and B`, `A, B, and C` */
export function formatChartList(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  if (items.length < 2) return last;
  const rest = items.slice(0, -1);
  return rest.length === 1 ? `${rest[0]} and ${last}` : `${rest.join(', ')}, and ${last}`;
}
