/**
 * Slack's `<!date^…>`: a moment in the reader's time zone. Pure. Source: "Formatting with mrkdwn", Date
 * formatting.
 */
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../../clock.ts';

/** The reader's time zone and current time. */
export interface ReaderTimeContext {
  readonly timezone: string;
  readonly now: Instant;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached per zone and options: creating one costs more than everything else. */
function formatter(timezone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timezone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...options });
  formats.set(key, made);
  return made;
}

function written(at: Instant, { timezone }: ReaderTimeContext, options: Intl.DateTimeFormatOptions): string {
  // Newer Node versions put a narrow space before AM and PM.
  return formatter(timezone, options).format(at).replaceAll('\u202f', ' ');
}

/** `2026-01-31` in the reader's zone. */
export function formatIsoDay(at: Instant, reader: ReaderTimeContext): string {
  const part = (options: Intl.DateTimeFormatOptions) => written(at, reader, options);
  const [month, day, year] = part({ year: 'numeric', month: '2-digit', day: '2-digit' }).split('/');
  return `${year}-${month}-${day}`;
}

function ordinal(day: number): string {
  const teen = day % 100 >= 11 && day % 100 <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

function longDate(at: Instant, reader: ReaderTimeContext, withWeekday: boolean): string {
  const part = (options: Intl.DateTimeFormatOptions) => written(at, reader, options);
  const day = ordinal(Number(part({ day: 'numeric' })));
  const date = `${part({ month: 'long' })} ${day}, ${part({ year: 'numeric' })}`;
  return withWeekday ? `${part({ weekday: 'long' })}, ${date}` : date;
}

/** Today, yesterday or tomorrow, if it is one of them. */
function near(at: Instant, reader: ReaderTimeContext): string | undefined {
  const days = (Date.parse(formatIsoDay(at, reader)) - Date.parse(formatIsoDay(reader.now, reader))) / DAY;
  return new Map([
    [0, 'Today'],
    [-1, 'Yesterday'],
    [1, 'Tomorrow'],
  ]).get(days);
}

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const;

function ago(at: Instant, { now }: ReaderTimeContext): string {
  if (Math.abs(now - at) < SECOND) return 'just now';
  const [unit, ms] = UNITS.find(([, each]) => Math.abs(now - at) >= each) ?? UNITS[3];
  const count = Math.floor(Math.abs(now - at) / ms);
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return at > now ? `in ${words}` : `${words} ago`;
}

type Write = (at: Instant, reader: ReaderTimeContext) => string;

const shortDate: Write = (at, reader) =>
  written(at, reader, { year: 'numeric', month: 'short', day: 'numeric' });

const TOKENS: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['date_num', formatIsoDay],
  ['date_slash', (at, reader) => written(at, reader, { year: 'numeric', month: '2-digit', day: '2-digit' })],
  ['date', (at, reader) => longDate(at, reader, false)],
  ['date_long', (at, reader) => longDate(at, reader, true)],
  ['date_short', shortDate],
  ['date_pretty', (at, reader) => near(at, reader) ?? longDate(at, reader, false)],
  ['date_short_pretty', (at, reader) => near(at, reader) ?? shortDate(at, reader)],
  ['date_long_pretty', (at, reader) => near(at, reader) ?? longDate(at, reader, true)],
  ['time', (at, reader) => written(at, reader, { hour: 'numeric', minute: '2-digit' })],
  [
    'time_secs',
    (at, reader) => written(at, reader, { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
  ],
  ['ago', ago],
]);

/** The last moment of JavaScript's calendar, in seconds. */
const LAST = 8.64e12;

/**
 * The moment in the given format (`{date_short} at {time}`). undefined where Slack shows the fallback: an
 * invalid moment or an unknown token. Like Slack, capitalizes a day's name only at the beginning of the
 * format.
 * @param seconds since 1970
 */
export function formatSlackDate(
  seconds: string,
  format: string,
  reader: ReaderTimeContext,
): string | undefined {
  const at = /^-?\d{1,13}$/u.test(seconds) ? Number(seconds) : Number.NaN;
  if (!(Math.abs(at) <= LAST)) return undefined;
  let isWhole = true;
  const words = format.replaceAll(/\{([^{}]*)\}/gu, (_all, name: string, place: number) => {
    const write = TOKENS.get(name);
    isWhole &&= write !== undefined;
    const word = write?.(at * SECOND, reader) ?? '';
    return place > 0 ? word.replace(/^(?:Today|Yesterday|Tomorrow)$/u, (day) => day.toLowerCase()) : word;
  });
  return isWhole ? words : undefined;
}
