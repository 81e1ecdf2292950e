import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import {
  countSlotsBetween,
  type DailySchedule,
  newestSlot,
  nextSlot,
} from '../../src/digests/decide-digest.ts';
import { addDays, daysBetween, findWeekday, localTime } from '../../src/schedule/local-time.ts';
import { zones } from '../schedule/zones.ts';

const anySlots = fc.record<DailySchedule>({
  minute: fc.integer({ min: 0, max: 1_439 }),
  days: fc.constantFrom('weekdays', 'daily'),
  timezone: fc.constantFrom(...zones),
});
const anyInstant = fc
  .integer({ min: 0, max: 4 * 366 * 1_440 })
  .map((it) => Date.UTC(2024, 0, 1) + it * MINUTE);

describe('slots by the wall clock', () => {
  it('there is exactly one on each day that has one, rising, whatever the clocks do', () => {
    fc.assert(
      fc.property(anySlots, anyInstant, (slots, start) => {
        let slot = nextSlot(slots, start);
        for (let count = 0; count < 400; count += 1) {
          const next = nextSlot(slots, slot.at);
          expect(next.at).toBeGreaterThan(slot.at);
          const days = daysBetween(slot.day, next.day);
          const friday = slots.days === 'weekdays' && findWeekday(slot.day) === 5;
          expect(days).toBe(friday ? 3 : 1);
          expect(Math.abs(next.at - slot.at - days * DAY)).toBeLessThanOrEqual(HOUR);
          slot = next;
        }
      }),
      { numRuns: 12 },
    );
  });

  it('the newest one and the next one have nothing between them', () => {
    fc.assert(
      fc.property(anySlots, anyInstant, (slots, now) => {
        const [newest, next] = [newestSlot(slots, now), nextSlot(slots, now)];
        expect(newest.at).toBeLessThanOrEqual(now);
        expect(next.at).toBeGreaterThan(now);
        expect(nextSlot(slots, newest.at)).toEqual(next);
        expect(newestSlot(slots, next.at)).toEqual(next);
        expect(newestSlot(slots, next.at - 1)).toEqual(newest);
        expect(countSlotsBetween(slots, newest.day, next.day)).toBe(0);
      }),
    );
  });

  it('as many lie between two days as are met on the way', () => {
    fc.assert(
      fc.property(anySlots, anyInstant, fc.integer({ min: 0, max: 40 }), (slots, start, count) => {
        const from = localTime(start, slots.timezone).day;
        const met = Array.from({ length: count }, (_, index) => addDays(from, index + 1)).filter(
          (day) => slots.days === 'daily' || findWeekday(day) <= 5,
        );
        expect(countSlotsBetween(slots, from, addDays(from, count + 1))).toBe(met.length);
        expect(countSlotsBetween(slots, addDays(from, count), from)).toBe(0);
      }),
    );
  });
});

describe('changes of the clocks in Berlin', () => {
  const berlin = (minute: number): DailySchedule => ({ minute, days: 'daily', timezone: 'Europe/Berlin' });
  const from = (slots: DailySchedule, start: string) => {
    const first = nextSlot(slots, Date.parse(start));
    const second = nextSlot(slots, first.at);
    const third = nextSlot(slots, second.at);
    return [first, second, third].map(({ day, at }) => `${day} ${new Date(at).toISOString().slice(5, 16)}`);
  };

  it('half past two comes once when it is skipped, and when it comes twice', () => {
    expect(from(berlin(150), '2026-03-28T00:00:00Z')).toEqual([
      '2026-03-28 03-28T01:30',
      '2026-03-29 03-29T01:00',
      '2026-03-30 03-30T00:30',
    ]);
    expect(from(berlin(150), '2026-10-24T00:00:00Z')).toEqual([
      '2026-10-24 10-24T00:30',
      '2026-10-25 10-25T00:30',
      '2026-10-26 10-26T01:30',
    ]);
  });

  it('nine o’clock stays nine o’clock', () => {
    expect(from(berlin(540), '2026-03-28T00:00:00Z')).toEqual([
      '2026-03-28 03-28T08:00',
      '2026-03-29 03-29T07:00',
      '2026-03-30 03-30T07:00',
    ]);
  });
});
