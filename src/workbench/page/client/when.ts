/** Moments in words, in the browser's time zone and the page's language. Pure but for the zone. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const CLOCK_TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY_NAME = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const IN_FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' });
const DAY_KEY = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' });

/** `14:05`. */
export function clockTime(at: number): string {
  return CLOCK_TIME.format(at);
}

export function momentInFull(at: number): string {
  return IN_FULL.format(at);
}

/** `2026-11-20`: tells days apart. */
export function dayKey(at: number): string {
  return DAY_KEY.format(at);
}

/** Today, Yesterday, or `Friday, 20 November`. */
export function dayName(at: number, now: number): string {
  if (dayKey(at) === dayKey(now)) return 'Today';
  return dayKey(at) === dayKey(now - DAY) ? 'Yesterday' : DAY_NAME.format(at);
}

function some(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function lasting(ms: number): string {
  if (ms < HOUR) return `${Math.max(1, Math.round(ms / MINUTE))} min`;
  return ms < 2 * DAY ? some(Math.round(ms / HOUR), 'hour') : some(Math.round(ms / DAY), 'day');
}

/** `3 min ago`, `in 5 days`, `just now`. */
export function fromNow(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < MINUTE / 2) return 'just now';
  return distance < 0 ? `${lasting(-distance)} ago` : `in ${lasting(distance)}`;
}

/** Of a `datetime-local` input, in the browser's zone. Seconds since 1970. */
export function toSeconds(local: string): number | null {
  const at = new Date(local).getTime();
  return Number.isNaN(at) ? null : Math.round(at / 1000);
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}

/** The other way round: `2026-01-31T09:30`. */
export function toLocalInput(seconds: number): string {
  const date = new Date(seconds * 1000);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
