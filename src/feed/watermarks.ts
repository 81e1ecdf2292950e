/** Watermarks: how far a filter's newest projects were read. Pure. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { Watermark } from './records.ts';

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
