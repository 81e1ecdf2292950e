/** Names in the soak's workspace. */
import { DAY, HOUR, type Instant, MINUTE } from '../../src/clock.ts';

/** The profile with invitations and outcomes in #web. */
export const PROFILE = 31;

interface DigestPlan {
  readonly channel: string;
  readonly command: string;
  /** Time of day in UTC, in milliseconds; no clock changes during a soak. */
  readonly at: number;
  readonly weekdays: boolean;
}

/** Digest schedules. */
export const DIGESTS: readonly DigestPlan[] = [
  { channel: 'web', command: 'digest at 09:00 Europe/Berlin daily', at: 8 * HOUR, weekdays: false },
  {
    channel: 'data',
    command: 'digest at 17:30 America/New_York weekdays',
    at: 22 * HOUR + 30 * MINUTE,
    weekdays: true,
  },
];

const isWeekend = (at: Instant) => [0, 6].includes(new Date(at).getUTCDay());

/** A digest's due times in a time span. */
export function slotsOf({ at, weekdays }: DigestPlan, from: Instant, to: Instant): readonly Instant[] {
  const slots: Instant[] = [];
  for (let day = Math.floor(from / DAY) * DAY; day <= to; day += DAY) {
    const slot = day + at;
    if (slot > from && slot <= to && !(weekdays && isWeekend(slot))) slots.push(slot);
  }
  return slots;
}
