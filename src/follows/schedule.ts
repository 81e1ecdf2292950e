/** When a person gets what they follow: at once, after their quiet hours, or once a day. */
import { type Instant, SECOND } from '../clock.ts';
import { findQuietHoursEnd } from '../feed/quiet-hours.ts';
import { addDays, isTimezone, localTime, localTimeToInstant } from '../schedule/local-time.ts';
import { nextSlot } from '../schedule/slots.ts';
import { isFollowerMuted } from './follows.ts';
import type { Follower, FollowMatch, FollowPreferences } from './records.ts';

/** The card goes first, so that the message can link to it. */
export const CARD_FIRST_MS = 4 * SECOND;

/** The person's time zone, or the default if this machine doesn't know it. */
export function zoneOf({ timezone }: Pick<Follower, 'timezone'>, defaultTimezone: string): string {
  return timezone !== undefined && isTimezone(timezone) ? timezone : defaultTimezone;
}

export type FollowSchedule = Pick<FollowMatch, 'state' | 'timing' | 'dueAt'>;

/** The end of the person's quiet hours; undefined while it isn't quiet. */
export function findFollowerQuietEnd(
  { quiet, timezone }: Pick<Follower, 'quiet' | 'timezone'>,
  defaultTimezone: string,
  at: Instant,
): Instant | undefined {
  if (!quiet) return undefined;
  const zone = zoneOf(timezone === undefined ? {} : { timezone }, defaultTimezone);
  return findQuietHoursEnd({ quiet, timezone: zone }, zone, at);
}

/** When a project that matches now is to be sent. A daily list comes at its time, quiet hours or not. */
export function scheduleMatch(
  follower: Pick<Follower, 'quiet' | 'timezone' | 'dailyAt' | 'muted'>,
  defaultTimezone: string,
  at: Instant,
): FollowSchedule {
  if (isFollowerMuted(follower, at)) return { state: 'dropped', timing: 'now', dueAt: at };
  const { dailyAt } = follower;
  if (dailyAt !== undefined) {
    const timezone = zoneOf(follower, defaultTimezone);
    const slot = nextSlot({ minute: dailyAt, days: 'daily', timezone }, at);
    return { state: 'due', timing: 'daily', dueAt: slot.at };
  }
  const quietEnd = findFollowerQuietEnd(follower, defaultTimezone, at);
  if (quietEnd !== undefined) return { state: 'due', timing: 'quiet', dueAt: quietEnd };
  return { state: 'due', timing: 'now', dueAt: at + CARD_FIRST_MS };
}

/** Whether a mention on a card would reach the person now, and not wait for quiet hours or a daily list. */
export function takesMentions(follower: Follower, defaultTimezone: string, at: Instant): boolean {
  if (follower.by !== 'mention') return false;
  const { state, timing } = scheduleMatch(follower, defaultTimezone, at);
  return state === 'due' && timing === 'now';
}

/** Minute of the day. */
const MORNING = 9 * 60;

/** Until 9:00 of the next day where the person is. */
export function muteUntilTomorrow(at: Instant, timezone: string): NonNullable<FollowPreferences['muted']> {
  const zone = isTimezone(timezone) ? timezone : 'UTC';
  return { until: localTimeToInstant(addDays(localTime(at, zone).day, 1), MORNING, zone) };
}
