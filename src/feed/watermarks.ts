/** Marks: how far the newest projects of a filter were read. Pure. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { Watermark } from './records.ts';

/** Projects may be indexed this long after they were published, so the reading begins this far back. */
const LATE_MS = 5 * MINUTE;
/** Marks closer together than this are one. */
const SPARSE_MS = 45 * SECOND;

/** The mark to pass: the newest that is old enough for late projects, else the oldest. */
export function chooseWatermark(marks: readonly Watermark[], now: Instant): Watermark | undefined {
  return marks.findLast((mark) => mark.at <= now - LATE_MS) ?? marks[0];
}

/** The marks with a newer one; those that nothing needs any more are left out, so that there are never more than about ten. */
export function addWatermark(marks: readonly Watermark[], ts: number, now: Instant): Watermark[] {
  const newest = marks.at(-1);
  if (newest && ts <= newest.ts) return [...marks];
  const before = marks.at(-2);
  const kept = newest && before && newest.at - before.at < SPARSE_MS ? marks.slice(0, -1) : [...marks];
  const needed = kept.findLastIndex((mark) => mark.at <= now - LATE_MS);
  return [...kept.slice(Math.max(0, needed)), { ts, at: now }];
}
