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
/** Days that follow one another without a gap: a weekend, and a night on both sides. A stretch is looked for no further. */
const MOST_DAYS = 8;

/** The stretches that begin on a day: its night, and the day itself where it is quiet altogether. */
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

/** The zone that holds in a channel. One that this machine does not know any more is left aside. */
export function resolveTimezone(
  { timezone }: Pick<ChannelSettings, 'timezone'>,
  defaultTimezone: string,
): string {
  return timezone !== undefined && isTimezone(timezone) ? timezone : defaultTimezone;
}

/**
 * When the quiet hours end that hold in a channel at this moment: stretches that meet are one. A minute that comes twice, when
 * the clocks are set back, begins and ends them the first time; one that is left out, with the first that there is.
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
