/** Until when a channel is quiet, by the wall clock of its time zone. Pure. */
import type { Instant } from '../clock.ts';
import {
  addDays,
  findWeekday,
  isTimezone,
  type LocalDay,
  localTime,
  localTimeToInstant,
} from '../schedule/local-time.ts';
import type { ChannelSettings, QuietHours } from './records.ts';

interface Stretch {
  readonly from: Instant;
  readonly until: Instant;
}

const FRIDAY = 5;
/** Consecutive quiet days, such as a weekend with the nights around it, end within this. */
const MOST_DAYS = 8;

/** The quiet stretches that begin on a day: its night, and the whole day if it is quiet. */
function stretchesOf({ from, to, weekends }: QuietHours, day: LocalDay, timezone: string): Stretch[] {
  const next = addDays(day, 1);
  const isWhole = weekends && findWeekday(day) > FRIDAY;
  return [
    ...(isWhole
      ? [{ from: localTimeToInstant(day, 0, timezone), until: localTimeToInstant(next, 0, timezone) }]
      : []),
    ...(from === to
      ? []
      : [
          {
            from: localTimeToInstant(day, from, timezone),
            until: localTimeToInstant(from < to ? day : next, to, timezone),
          },
        ]),
  ];
}

/** The channel's time zone, or the default if this machine doesn't know it. */
export function resolveTimezone(
  { timezone }: Pick<ChannelSettings, 'timezone'>,
  defaultTimezone: string,
): string {
  return timezone !== undefined && isTimezone(timezone) ? timezone : defaultTimezone;
}

/**
 * When the channel's current quiet hours end; adjoining stretches count as one. When clocks are set back, the
 * first occurrence of a repeated minute counts; a skipped minute counts as the first one after it.
 * @returns undefined while it is not quiet
 */
export function findQuietHoursEnd(
  settings: Pick<ChannelSettings, 'quiet' | 'timezone'>,
  defaultTimezone: string,
  at: Instant,
): Instant | undefined {
  const { quiet } = settings;
  if (!quiet) return undefined;
  const timezone = resolveTimezone(settings, defaultTimezone);
  const today = localTime(at, timezone).day;
  let until = at;
  // Yesterday's night may last until today.
  for (let days = -1; days <= MOST_DAYS; days++) {
    const day = addDays(today, days);
    if (days > 0 && localTimeToInstant(day, 0, timezone) > until) break;
    for (const stretch of stretchesOf(quiet, day, timezone))
      if (stretch.from <= until && until < stretch.until) until = stretch.until;
  }
  return until > at ? until : undefined;
}
