/** When a daily or weekday schedule is due by the wall clock of a time zone. Pure. */
import type { Instant } from '../clock.ts';
import {
  addDays,
  daysBetween,
  findWeekday,
  type LocalDay,
  localTime,
  localTimeToInstant,
} from './local-time.ts';

export interface DailySchedule {
  /** Minute of the local day, 0 to 1439. */
  readonly minute: number;
  readonly days: 'weekdays' | 'daily';
  /** IANA name. */
  readonly timezone: string;
}

/** One day's slot. Each day has exactly one, whatever the clocks do; the day identifies it. */
export interface ScheduleSlot {
  readonly day: LocalDay;
  readonly at: Instant;
}

const FRIDAY = 5;

function isEligible({ days }: DailySchedule, day: LocalDay): boolean {
  return days === 'daily' || findWeekday(day) <= FRIDAY;
}

/**
 * The first matching slot, day by day from a given day. There is always one within 7 days of `from`. Adjacent
 * days are checked too, since clock changes around midnight can put an instant on either of two days.
 */
function firstOf(
  slots: DailySchedule,
  from: LocalDay,
  step: 1 | -1,
  passes: (at: Instant) => boolean,
): ScheduleSlot | undefined {
  for (let days = -1; days <= 7; days += 1) {
    const day = addDays(from, days * step);
    if (!isEligible(slots, day)) continue;
    const at = localTimeToInstant(day, slots.minute, slots.timezone);
    if (passes(at)) return { day, at };
  }
  return undefined;
}

function found(slot: ScheduleSlot | undefined): ScheduleSlot {
  if (!slot) throw new RangeError('No slot within a week');
  return slot;
}

/** The newest slot at or before `now`. @throws RangeError for an invalid zone */
export function newestSlot(slots: DailySchedule, now: Instant): ScheduleSlot {
  return found(firstOf(slots, localTime(now, slots.timezone).day, -1, (at) => at <= now));
}

/** The first slot after `now`. @throws RangeError for an invalid zone */
export function nextSlot(slots: DailySchedule, now: Instant): ScheduleSlot {
  return found(firstOf(slots, localTime(now, slots.timezone).day, 1, (at) => at > now));
}

/** The number of slots on days after `after` and before `before`. */
export function countSlotsBetween(slots: DailySchedule, after: LocalDay, before: LocalDay): number {
  const days = Math.max(0, daysBetween(after, before) - 1);
  const weeks = Math.floor(days / 7);
  const rest = Array.from({ length: days - weeks * 7 }, (_, index) => addDays(after, index + 1));
  const each = slots.days === 'daily' ? 7 : FRIDAY;
  return weeks * each + rest.filter((day) => isEligible(slots, day)).length;
}
