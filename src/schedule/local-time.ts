/** Converts between instants and the wall clock of a time zone. Pure. */
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../clock.ts';

/** A calendar day, `2026-11-20`; days sort as strings. */
export type LocalDay = string;

/** Formatters are expensive. A team uses few zones, and arbitrary typed names must not pile up. */
const MOST_KEPT = 50;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  const kept = formats.get(timezone);
  if (kept) return kept;
  const made = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size >= MOST_KEPT) formats.clear();
  formats.set(timezone, made);
  return made;
}

/** Whether this machine knows the IANA time zone name. */
export function isTimezone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Zones change their clocks at whole quarters of an hour. */
const QUARTER_MS = 15 * MINUTE;
const offsets = new Map<string, { readonly quarter: number; readonly offsetMs: number }>();

/** The wall clock's reading, as the instant at which UTC shows the same. */
function wallOf(at: Instant, timezone: string): Instant {
  const quarter = Math.floor(at / QUARTER_MS);
  let offset = offsets.get(timezone);
  if (offset?.quarter !== quarter) {
    offset = { quarter, offsetMs: readOffset(quarter * QUARTER_MS, timezone) };
    if (offsets.size >= MOST_KEPT) offsets.clear();
    offsets.set(timezone, offset);
  }
  return at + offset.offsetMs;
}

/** @param at a whole second */
function readOffset(at: Instant, timezone: string): number {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const day = Date.UTC(part('year'), part('month') - 1, part('day'));
  return day + part('hour') * HOUR + part('minute') * MINUTE + part('second') * SECOND - at;
}

function dayOf(wall: Instant): LocalDay {
  return new Date(wall).toISOString().slice(0, 10);
}

function startOf(day: LocalDay): Instant {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The calendar day this many days later; earlier for a negative number. */
export function addDays(day: LocalDay, days: number): LocalDay {
  return dayOf(startOf(day) + days * DAY);
}

/** The number of days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: LocalDay, to: LocalDay): number {
  return Math.round((startOf(to) - startOf(from)) / DAY);
}

/** 1 is Monday, 7 is Sunday. */
export function findWeekday(day: LocalDay): number {
  return new Date(startOf(day)).getUTCDay() || 7;
}

/**
 * @returns `minute`: of the local day, 0 to 1439 · `weekday`: 1 is Monday, 7 is Sunday
 * @throws RangeError for an invalid zone; see `isTimezone`
 */
export function localTime(at: Instant, timezone: string) {
  const wall = wallOf(at, timezone);
  const day = dayOf(wall);
  return { day, minute: Math.floor((wall - startOf(day)) / MINUTE), weekday: findWeekday(day) };
}

/** Zones range from 12 hours behind UTC to 14 ahead. No zone changes its clocks twice within this range. */
const AHEAD = 15 * HOUR;
const BEHIND = 13 * HOUR;

/**
 * When the zone's wall clock first shows that minute of that day, or a later one. A skipped minute maps to
 * the first instant after the gap; a repeated minute maps to its first occurrence.
 * @throws RangeError for an invalid zone
 */
export function localTimeToInstant(day: LocalDay, minute: number, timezone: string): Instant {
  const wall = startOf(day) + minute * MINUTE;
  const before = offsetAt(wall - AHEAD, timezone);
  const after = offsetAt(wall + BEHIND, timezone);
  if (before === after) return wall - after;
  const changed = changeBetween(wall - AHEAD, wall + BEHIND, timezone);
  return wall - before < changed ? wall - before : Math.max(changed, wall - after);
}

function offsetAt(at: Instant, timezone: string): number {
  return wallOf(at, timezone) - at;
}

/** The first instant of the new offset, to the second. `from` and `to` have different offsets. */
function changeBetween(from: Instant, to: Instant, timezone: string): Instant {
  const old = offsetAt(from, timezone);
  let [low, high] = [Math.floor(from / SECOND), Math.ceil(to / SECOND)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * SECOND, timezone) === old) low = middle;
    else high = middle;
  }
  return high * SECOND;
}

/** `9:05 AM`, for reading. @param minute of the day, 0 to 1439. */
export function formatTimeOfDay(minute: number): string {
  const hour = Math.floor(minute / 60);
  const half = hour < 12 ? 'AM' : 'PM';
  return `${hour % 12 || 12}:${String(minute % 60).padStart(2, '0')} ${half}`;
}

/** `09:05`, for records and inputs. @param minute of the day, 0 to 1439. */
export function formatClockTime(minute: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The minute of the day of `09:05`, from a time input; undefined for anything else. */
export function parseClockTime(time: string | undefined): number | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/u.exec(time ?? '') ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return minute < 24 * 60 ? minute : undefined;
}
