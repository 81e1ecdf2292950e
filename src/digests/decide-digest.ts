/** When digests are due by the wall clock of a time zone; which one is due, and what it covers. Pure. */
import { DAY, type Instant, MINUTE } from '../clock.ts';
import { resolveTimezone } from '../feed/quiet-hours.ts';
import {
  addDays,
  daysBetween,
  findWeekday,
  type LocalDay,
  localTime,
  localTimeToInstant,
} from '../schedule/local-time.ts';
import type { DigestPlan } from './records.ts';

export type DailySchedule = Pick<DigestPlan, 'minute' | 'days' | 'timezone'>;

/** One day's slot. Each day has exactly one, whatever the clocks do; the day identifies it. */
interface ScheduleSlot {
  readonly day: LocalDay;
  readonly at: Instant;
}

const FRIDAY = 5;

function isEligible({ days }: DailySchedule, day: LocalDay): boolean {
  return days === 'daily' || findWeekday(day) <= FRIDAY;
}

/**
 * The first slot after `now`, or the newest one until then. There is always one within 7 days. Adjacent days
 * are checked too, since clock changes around midnight can put an instant on either of two days.
 */
function findSlot(slots: DailySchedule, now: Instant, step: 1 | -1): ScheduleSlot {
  const today = localTime(now, slots.timezone).day;
  for (let days = -1; days <= 7; days += 1) {
    const day = addDays(today, days * step);
    if (!isEligible(slots, day)) continue;
    const at = localTimeToInstant(day, slots.minute, slots.timezone);
    if (step > 0 ? at > now : at <= now) return { day, at };
  }
  throw new RangeError('No slot within a week');
}

/** The newest slot at or before `now`. @throws RangeError for an invalid zone */
export function newestSlot(slots: DailySchedule, now: Instant): ScheduleSlot {
  return findSlot(slots, now, -1);
}

/** The first slot after `now`. @throws RangeError for an invalid zone */
export function nextSlot(slots: DailySchedule, now: Instant): ScheduleSlot {
  return findSlot(slots, now, 1);
}

/** The number of slots on days after `after` and before `before`. */
export function countSlotsBetween(slots: DailySchedule, after: LocalDay, before: LocalDay): number {
  const days = Math.max(0, daysBetween(after, before) - 1);
  const weeks = Math.floor(days / 7);
  const rest = Array.from({ length: days - weeks * 7 }, (_, index) => addDays(after, index + 1));
  const each = slots.days === 'daily' ? 7 : FRIDAY;
  return weeks * each + rest.filter((day) => isEligible(slots, day)).length;
}

const LATE_MS = 10 * MINUTE;
/** The longest time a digest covers, even after a longer outage: more doesn't fit on one screen. */
const LONGEST_MS = 31 * DAY;
/** For digests requested by a person. */
const SHORTEST_ASKED_MS = DAY;
const LONGEST_ASKED_MS = 7 * DAY;

interface DueDigest {
  readonly slot: ScheduleSlot;
  /** Start of the covered time. */
  readonly from: Instant;
  /** `missed`: earlier digests that were never posted. */
  readonly late?: { readonly dueAt: Instant; readonly missed: number };
}

function laterOf(one: LocalDay, other: LocalDay): LocalDay {
  return one > other ? one : other;
}

/** The first day whose slot is still unprocessed. Slots before the plan was set don't count. */
function firstOpenDay(plan: DigestPlan): LocalDay {
  const sinceSet = nextSlot(plan, plan.setAt).day;
  if (plan.lastDay === undefined) return sinceSet;
  return laterOf(addDays(plan.lastDay, 1), sinceSet);
}

/**
 * Times more than a day ahead come from a clock that was wrong. They would delay digests until then, so the
 * newest slot replaces them.
 */
function byThisClock(plan: DigestPlan, now: Instant): DigestPlan {
  if (Math.max(plan.setAt, plan.coveredTo ?? 0) <= now + DAY) return plan;
  const newest = newestSlot(plan, now);
  const before = newestSlot(plan, newest.at - 1);
  return {
    ...plan,
    setAt: Math.min(plan.setAt, before.at),
    lastDay: addDays(newest.day, -1),
    coveredTo: before.at,
  };
}

/** The newest slot that is still unprocessed; undefined: none is due. */
export function findDueDigest(stored: DigestPlan, now: Instant): DueDigest | undefined {
  const plan = byThisClock(stored, now);
  const slot = newestSlot(plan, now);
  const first = firstOpenDay(plan);
  if (slot.day < first) return undefined;
  const covered = plan.coveredTo ?? newestSlot(plan, nextSlot(plan, plan.setAt).at - 1).at;
  const from = Math.max(covered, now - LONGEST_MS);
  // Digests from before `from` don't count as missed.
  const missed = countSlotsBetween(plan, addDays(laterOf(first, nextSlot(plan, from).day), -1), slot.day);
  const isLate = missed > 0 || now - slot.at > LATE_MS;
  return { slot, from, late: isLate ? { dueAt: slot.at, missed } : undefined };
}

export function findNextDigestSlot(stored: DigestPlan, now: Instant): ScheduleSlot {
  const plan = byThisClock(stored, now);
  const first = firstOpenDay(plan);
  let slot = nextSlot(plan, now);
  while (slot.day < first) slot = nextSlot(plan, slot.at);
  return slot;
}

/**
 * A plan with a time zone that this machine knows. The stored zone may come from another machine or a newer
 * time zone table; the stored plan keeps it.
 * @param fallback IANA name of a known zone
 */
export function withKnownTimezone(plan: DigestPlan, fallback: string): DigestPlan {
  return { ...plan, timezone: resolveTimezone(plan, fallback) };
}

/**
 * The day of the newest digest, in the new plan's time zone. The same moment may be another day there: with
 * the old day, that day would get a second digest, or the next day none.
 */
export function convertLastDigestDayTimezone(before: DigestPlan, timezone: string): LocalDay | undefined {
  const { lastDay, minute } = before;
  if (lastDay === undefined || timezone === before.timezone) return lastDay;
  return localTime(localTimeToInstant(lastDay, minute, before.timezone), timezone).day;
}

/** The start of a requested digest. @param last when the newest digest of any kind was created */
export function decideRequestedDigestStart(last: Instant | undefined, now: Instant): Instant {
  const since = last ?? now - SHORTEST_ASKED_MS;
  return Math.max(now - LONGEST_ASKED_MS, Math.min(since, now - SHORTEST_ASKED_MS));
}
