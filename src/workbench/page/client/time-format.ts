/** Moments in words, in the reader's time zone, as Slack shows them. Pure. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface TimeFormatter {
  /** `2:05 PM`. */
  readonly clockTime: (at: number) => string;
  readonly momentInFull: (at: number) => string;
  /** `2026-11-20`: tells days apart. */
  readonly dayKey: (at: number) => string;
  /** Today, Yesterday, or `Friday, November 20`. */
  readonly dayName: (at: number, now: number) => string;
  /** Converts a `datetime-local` value to seconds since 1970; null when it is invalid. */
  readonly toSeconds: (local: string) => number | null;
  /** The reverse: `2026-01-31T09:30`. */
  readonly toLocalInput: (seconds: number) => string;
}

function createTimes(timeZone: string): TimeFormatter {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });
  const full = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'full', timeStyle: 'long' });
  const name = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', day: 'numeric', month: 'long' });
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const dayKey = (at: number) => wall.format(at).slice(0, 10);
  /** The local time in the zone, as if it were UTC. */
  const wallAsUtc = (at: number) => Date.parse(`${wall.format(at).replace(' ', 'T')}Z`);
  return {
    clockTime: (at) => clock.format(at),
    momentInFull: (at) => full.format(at),
    dayKey,
    dayName(at, now) {
      if (dayKey(at) === dayKey(now)) return 'Today';
      return dayKey(at) === dayKey(now - DAY) ? 'Yesterday' : name.format(at);
    },
    toSeconds(local) {
      const wanted = Date.parse(`${local}Z`);
      if (Number.isNaN(wanted)) return null;
      // Runs twice: the first guess may be on the other side of a DST change.
      const guess = wanted - (wallAsUtc(wanted) - wanted);
      const at = guess - (wallAsUtc(guess) - wanted);
      return Math.floor(at / 1000);
    },
    toLocalInput: (seconds) =>
      wall
        .format(seconds * 1000)
        .replace(' ', 'T')
        .slice(0, 16),
  };
}

const known = new Map<string, TimeFormatter>();

/** `zone` is an IANA name; a zone unknown to the browser becomes UTC. */
export function timeFormatterForZone(zone: string): TimeFormatter {
  const old = known.get(zone);
  if (old) return old;
  let times: TimeFormatter;
  try {
    times = createTimes(zone);
  } catch {
    times = createTimes('UTC');
  }
  known.set(zone, times);
  return times;
}

function some(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function lasting(ms: number): string {
  if (ms < HOUR) return `${Math.max(1, Math.round(ms / MINUTE))} min`;
  return ms < 2 * DAY ? some(Math.round(ms / HOUR), 'hour') : some(Math.round(ms / DAY), 'day');
}

/** `3 min ago`, `in 5 days`, `just now`. */
export function formatRelativeTime(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < MINUTE / 2) return 'just now';
  return distance < 0 ? `${lasting(-distance)} ago` : `in ${lasting(distance)}`;
}
