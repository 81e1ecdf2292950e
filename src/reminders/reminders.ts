/** Reminders of cards: when they are due, and their contract. One per person and card. */
import { HOUR, type Instant } from '../clock.ts';
import type { ChannelId, ProjectKey, TeamId, UserId } from '../ids.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import { addDays, isTimezone, localTime, localTimeToInstant } from '../schedule/local-time.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { Reminder } from './records.ts';

export type { Reminder } from './records.ts';

/** When to remind; in the order of the choices. */
export const REMINDER_CHOICES = ['one-hour', 'two-hours', 'tomorrow'] as const;
export type ReminderChoice = (typeof REMINDER_CHOICES)[number];

/** Minute of the day. */
const MORNING = 9 * 60;

/**
 * The moment that a choice means. `tomorrow` is 9:00 of the next day in the zone, also across a change to or
 * from daylight saving time.
 * @param timezone IANA name; a name that this machine doesn't know counts as UTC
 */
export function findReminderTime(choice: ReminderChoice, at: Instant, timezone: string): Instant {
  if (choice === 'one-hour') return at + HOUR;
  if (choice === 'two-hours') return at + 2 * HOUR;
  const zone = isTimezone(timezone) ? timezone : 'UTC';
  return localTimeToInstant(addDays(localTime(at, zone).day, 1), MORNING, zone);
}

/** Whose reminder, and of which card. */
export interface ReminderPlace {
  readonly user: UserId;
  readonly channel: ChannelId;
  readonly project: ProjectKey;
}

/** `full`: the person has as many reminders as there may be. */
export type SetReminderOutcome = 'set' | 'full';

export interface ReminderService {
  /** Replaces the person's earlier reminder of this card. @param reminder `title`: untrusted text */
  setReminder(reminder: Omit<Reminder, 'team' | 'setAt'>): Promise<SetReminderOutcome>;
  /** @returns false if there was none: it was delivered or cancelled before */
  cancelReminder(place: ReminderPlace): Promise<boolean>;
  findReminder(tx: ReadTransaction, place: ReminderPlace): Promise<Reminder | undefined>;
  /** Every minute, and at the start: turns due reminders into direct messages, each once. */
  readonly job: ScheduledJob;
}

export function reminderKey(team: TeamId, { user, channel, project }: ReminderPlace) {
  return [team, user, channel, project] as const;
}
