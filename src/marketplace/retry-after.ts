/** Parses the Retry-After header (RFC 9110, 10.2.3): whole seconds or an HTTP date. */
import { DAY, type Instant, SECOND } from '../clock.ts';

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Milliseconds to wait; 0 for a past date; undefined for an invalid value or more than a day. A date is
 * compared with the response's own Date header if present, since the server's clock may differ.
 */
export function parseRetryAfter(value: unknown, date: unknown, now: Instant): number | undefined {
  if (typeof value !== 'string') return undefined;
  const waitMs = /^\d{1,9}$/.test(value) ? Number(value) * SECOND : waitUntil(value, date, now);
  return waitMs === undefined || waitMs > DAY ? undefined : Math.max(waitMs, 0);
}

function waitUntil(value: string, date: unknown, now: Instant): number | undefined {
  const until = httpDate(value);
  return until === undefined ? undefined : until - (httpDate(date) ?? now);
}

function httpDate(value: unknown): Instant | undefined {
  if (typeof value !== 'string' || !HTTP_DATE.test(value)) return undefined;
  const read = Date.parse(value);
  return Number.isNaN(read) ? undefined : read;
}
