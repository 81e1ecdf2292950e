/** Which digest of a channel is due, what it covers, and whether a weekly note comes with it. Pure. */
import { DAY, type Instant, MINUTE } from '../clock.ts';
import {
  addDays,
  findWeekday,
  type LocalDay,
  localTime,
  localTimeToInstant,
} from '../schedule/local-time.ts';
import { countSlotsBetween, newestSlot, nextSlot, type ScheduleSlot } from '../schedule/slots.ts';
import type { DigestPlan } from './records.ts';

/** From then on a digest says that it is late. */
const LATE_MS = 10 * MINUTE;
/** However long nothing ran: more is not kept on one screen. */
const LONGEST_MS = 31 * DAY;
const LONGEST_NOTE_MS = 4 * 7 * DAY;
/** Of a digest that somebody asks for. */
const SHORTEST_ASKED_MS = DAY;
const LONGEST_ASKED_MS = 7 * DAY;

export interface DueDigest {
  readonly slot: ScheduleSlot;
  /** It covers what came from then on. */
  readonly from: Instant;
  /** `missed`: digests before it that nobody got. */
  readonly late?: { readonly dueAt: Instant; readonly missed: number };
}

function laterOf(one: LocalDay, other: LocalDay): LocalDay {
  return one > other ? one : other;
}

/** The first day of whose slots none was dealt with yet; slots before the plan was made are nobody's. */
function firstOpenDay(plan: DigestPlan): LocalDay {
  const sinceSet = nextSlot(plan, plan.setAt).day;
  if (plan.lastDay === undefined) return sinceSet;
  return laterOf(addDays(plan.lastDay, 1), sinceSet);
}

/**
 * What was done more than a day from now was done by a clock that ran ahead. Going by it, there would be no digest until then: the
 * newest slot takes its place.
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

/** The newest slot of the plan that nobody has dealt with; undefined: none is due. */
export function findDueDigest(stored: DigestPlan, now: Instant): DueDigest | undefined {
  const plan = byThisClock(stored, now);
  const slot = newestSlot(plan, now);
  const first = firstOpenDay(plan);
  if (slot.day < first) return undefined;
  const covered = plan.coveredTo ?? newestSlot(plan, nextSlot(plan, plan.setAt).at - 1).at;
  const from = Math.max(covered, now - LONGEST_MS);
  // What would have come before that, nobody gets any more.
  const missed = countSlotsBetween(plan, addDays(laterOf(first, nextSlot(plan, from).day), -1), slot.day);
  const isLate = missed > 0 || now - slot.at > LATE_MS;
  return {
    slot,
    from,
    ...(isLate ? { late: { dueAt: slot.at, missed } } : {}),
  };
}

/** The next slot that brings a digest. */
export function findNextDigest(stored: DigestPlan, now: Instant): ScheduleSlot {
  const plan = byThisClock(stored, now);
  const first = firstOpenDay(plan);
  let slot = nextSlot(plan, now);
  while (slot.day < first) slot = nextSlot(plan, slot.at);
  return slot;
}

/**
 * The day of the newest digest by the new plan's wall clock. In another zone the same moment may be another day, and going by
 * the old one would bring a second digest that day, or none the next.
 */
export function convertLastDigestDay(before: DigestPlan, timezone: string): LocalDay | undefined {
  const { lastDay, minute } = before;
  if (lastDay === undefined || timezone === before.timezone) return lastDay;
  return localTime(localTimeToInstant(lastDay, minute, before.timezone), timezone).day;
}

function mondayOf(day: LocalDay): LocalDay {
  return addDays(day, 1 - findWeekday(day));
}

/** What the weekly note that comes with a digest covers; undefined: this week's has come, or the plan is of this week. */
export function findDueNoteStart(stored: DigestPlan, slot: ScheduleSlot, now: Instant): Instant | undefined {
  const plan = byThisClock(stored, now);
  const week = mondayOf(slot.day);
  // One of a week to come was written by a clock that ran ahead.
  const noted = [plan.lastNoteDay].find((day) => day !== undefined && mondayOf(day) <= week);
  const last = noted ?? localTime(plan.setAt, plan.timezone).day;
  if (week <= mondayOf(last)) return undefined;
  return Math.max(noted === undefined ? slot.at - 7 * DAY : endOfNote(plan, noted), now - LONGEST_NOTE_MS);
}

/** Of a note that was made before its end was kept, only the day is known. */
function endOfNote({ notedTo, minute, timezone }: DigestPlan, day: LocalDay): Instant {
  return notedTo ?? localTimeToInstant(day, minute, timezone);
}

/** What a digest that somebody asks for covers. @param last when the newest one of any kind was made */
export function decideRequestedDigestStart(last: Instant | undefined, now: Instant): Instant {
  const since = last ?? now - SHORTEST_ASKED_MS;
  return Math.max(now - LONGEST_ASKED_MS, Math.min(since, now - SHORTEST_ASKED_MS));
}
