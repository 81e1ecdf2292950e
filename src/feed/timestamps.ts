/** The server's timestamps: integers whose unit is not documented. Pure. */
import type { Instant } from '../clock.ts';

/** How the server counts: 1, in seconds; 1,000, in milliseconds. */
export type TimestampUnit = 1 | 1_000;

/**
 * How the newest projects are asked for before the unit is known (guess-timestamp-unit.ts).
 * `milliseconds`: to a server that counts seconds this lies far ahead, and nothing is newer.
 * `seconds`: with a cursor of tomorrow. To a server that counts milliseconds both lie in 1970, and nothing is older.
 * `seconds-rising`: the same for a server that sends the oldest first, and begins at the cursor.
 */
export type TimestampUnitGuess = 'milliseconds' | 'seconds' | 'seconds-rising';

/** As seconds this lies in the year 5138, as milliseconds in 1973: no project's time can be mistaken. */
const FIRST_MILLISECONDS = 1e11;

export function inferTimestampUnit(ts: number): TimestampUnit {
  return ts >= FIRST_MILLISECONDS ? 1_000 : 1;
}

export function timestampToInstant(ts: number): Instant {
  return inferTimestampUnit(ts) === 1_000 ? ts : ts * 1_000;
}

/** Whole seconds are rounded down: a little too early asks for a repeat, a little too late would lose a project. */
export function instantToTimestamp(at: Instant, unit: TimestampUnit): number {
  return unit === 1_000 ? at : Math.floor(at / 1_000);
}

/**
 * The last timestamp of which all is over at `at`. What is published later within its own second (or millisecond) would
 * be left out by a server that sends what is newer than the one passed.
 */
export function getLastElapsedTimestamp(at: Instant, unit: TimestampUnit): number {
  return instantToTimestamp(at, unit) - 1;
}

/** The same moment as the server counts. */
export function convertTimestampUnit(ts: number, unit: TimestampUnit): number {
  return inferTimestampUnit(ts) === unit ? ts : instantToTimestamp(timestampToInstant(ts), unit);
}

/** What is passed to get all since a moment, its own second included: dates may be told in whole seconds. */
export function getStartTimestamp(startsAt: Instant, unit: TimestampUnit): number {
  const second = getLastElapsedTimestamp(startsAt, 1);
  return unit === 1_000 ? second * 1_000 + 999 : second;
}
