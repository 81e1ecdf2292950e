/** Numbers and counts as English text. Pure. */
import { DAY, HOUR, MINUTE, SECOND } from '../../clock.ts';
import { escapeMrkdwn } from './mrkdwn.ts';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** `1,234` */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** `1 project`, `1,200 projects`; the plural adds an s unless it is given. */
export function formatCount(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}

/** `a, b, 3 more`: the first `most` items, and a count of the rest. */
export function joinWithMore<T>(items: readonly T[], most: number, draw: (item: T) => string): string {
  const more = items.length - most;
  const shown = items.slice(0, most).map((item) => draw(item));
  return [...shown, ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ');
}

/** US dollars, the marketplace's currency: `$1,500`, `$12.50`. */
export function formatMoney(dollars: number): string {
  const sign = dollars < 0 ? '-' : '';
  const amount = Math.abs(dollars);
  return `${sign}$${Number.isInteger(amount) ? whole.format(amount) : cents.format(amount)}`;
}

/** For lines with little space: `$950`, `$12.3K`, `$2M`. */
export function formatShortMoney(dollars: number): string {
  const amount = Math.abs(dollars);
  return `${dollars < 0 ? '-' : ''}$${amount < 1_000 ? whole.format(amount) : short.format(amount)}`;
}

/** A ratio from 0 to 1: `83%`. */
export function formatPercent(ratio: number): string {
  return `${whole.format(ratio * 100)}%`;
}

/** A share of a whole: `82%`. Never `0%` for something, nor `100%` for less than all. */
export function formatShare(part: number, of: number): string {
  const ratio = of > 0 ? part / of : 0;
  if (ratio > 0 && ratio < 0.01) return '<1%';
  if (ratio > 0.99 && ratio < 1) return '>99%';
  return `${whole.format(Math.round(ratio * 100))}%`;
}

/** A duration in its largest unit, rounded: `40 seconds`, `3 minutes`, `2 hours`, `5 days`. */
export function formatDuration(ms: number): string {
  if (ms < MINUTE) return formatCount(Math.max(1, Math.round(ms / SECOND)), 'second');
  if (ms < 90 * MINUTE) return formatCount(Math.round(ms / MINUTE), 'minute');
  if (ms < 2 * DAY) return formatCount(Math.round(ms / HOUR), 'hour');
  return formatCount(Math.round(ms / DAY), 'day');
}

/** A period that ends now: `the last 24 hours`, `the last 7 days`. */
export function formatLastDays(days: number): string {
  return `the last ${days === 1 ? '24 hours' : formatCount(days, 'day')}`;
}

const CELLS = 10;

/** `▓▓▓▓░░░░░░ 40%`. mrkdwn. */
export function usageBarText(used: number, of: number): string {
  const ratio = of > 0 ? Math.min(1, Math.max(0, used / of)) : 1;
  const full = Math.floor(ratio * CELLS);
  const share = of > 0 ? formatShare(Math.max(0, used), of) : '100%';
  return `${'▓'.repeat(full)}${'░'.repeat(CELLS - full)} ${escapeMrkdwn(share)}`;
}
