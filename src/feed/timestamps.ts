/** The server's timestamps, and watermarks: how far a filter's newest projects were read. Pure. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { Watermark } from './records.ts';

/** The server's unit: 1 for seconds, 1,000 for milliseconds. */
export type TimestampUnit = 1 | 1_000;

/**
 * How to request the newest projects before the unit is known (guess-timestamp-unit.ts).
 * `milliseconds`: for a server that counts seconds, this is far in the future, and nothing is newer.
 * `seconds`: with tomorrow as the cursor. For a server that counts milliseconds, both are in 1970.
 * `seconds-rising`: the same for a server that sends the oldest first and begins at the cursor.
 */
export type TimestampUnitGuess = 'milliseconds' | 'seconds' | 'seconds-rising';

/** In seconds, this is the year 5138; in milliseconds, 1973. No project's time is ambiguous. */
const FIRST_MILLISECONDS = 1e11;

export function inferTimestampUnit(ts: number): TimestampUnit {
  return ts >= FIRST_MILLISECONDS ? 1_000 : 1;
}

export function timestampToInstant(ts: number): Instant {
  return inferTimestampUnit(ts) === 1_000 ? ts : ts * 1_000;
}

/** Rounds down to seconds: slightly too early repeats a project, slightly too late loses one. */
export function instantToTimestamp(at: Instant, unit: TimestampUnit): number {
  return unit === 1_000 ? at : Math.floor(at / 1_000);
}

/**
 * The last timestamp that is completely over at `at`. A server that sends only newer projects would skip
 * later ones of the same second (or millisecond).
 */
export function getLastElapsedTimestamp(at: Instant, unit: TimestampUnit): number {
  return instantToTimestamp(at, unit) - 1;
}

export function convertTimestampUnit(ts: number, unit: TimestampUnit): number {
  return inferTimestampUnit(ts) === unit ? ts : instantToTimestamp(timestampToInstant(ts), unit);
}

/** Requests everything since a moment, including its own second: dates may be in whole seconds. */
export function getInclusiveStartTimestamp(startsAt: Instant, unit: TimestampUnit): number {
  const second = getLastElapsedTimestamp(startsAt, 1);
  return unit === 1_000 ? second * 1_000 + 999 : second;
}

/** Projects may be indexed this long after they were published, so reads begin this far back. */
const LATE_MS = 5 * MINUTE;
/** Watermarks closer together than this are merged. */
const SPARSE_MS = 45 * SECOND;

/** The watermark to send: the newest that is old enough for late projects, otherwise the oldest. */
export function chooseWatermark(marks: readonly Watermark[], now: Instant): Watermark | undefined {
  return marks.findLast((mark) => mark.at <= now - LATE_MS) ?? marks[0];
}

/** Adds a watermark and drops those no longer needed, so that there are at most about ten. */
export function addWatermark(marks: readonly Watermark[], ts: number, now: Instant): Watermark[] {
  const newest = marks.at(-1);
  if (newest && ts <= newest.ts) return [...marks];
  const before = marks.at(-2);
  const kept = newest && before && newest.at - before.at < SPARSE_MS ? marks.slice(0, -1) : [...marks];
  const needed = kept.findLastIndex((mark) => mark.at <= now - LATE_MS);
  return [...kept.slice(Math.max(0, needed)), { ts, at: now }];
}
