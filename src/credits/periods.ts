/** Billing periods: told by the server's reset date, assumed until it tells. Pure. */
import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';

export const Period = z.object({
  /** Counts up; what was spent belongs to one. */
  number: z.number(),
  startsAt: z.number(),
  resetsAt: z.number(),
  /** The reset date was told by the server. */
  confirmed: z.boolean(),
  /** When the period before this one ended, where there was one: tells a late answer of it from a wrong date. */
  previousEnd: z.number().optional(),
  /** Since when we have been counting in it. */
  openedAt: z.number(),
});
export type Period = z.infer<typeof Period>;

/** Dates within a day are the same reset, told with another precision or read by another clock. */
const SAME_RESET_MS = DAY;

/** The same day and time of another month, or that month's last day where it has no such day. In UTC. */
export function addMonths(at: Instant, months: number): Instant {
  const date = new Date(at);
  const day = date.getUTCDate();
  const moved = new Date(at);
  moved.setUTCDate(1);
  moved.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, lastDay));
  return moved.getTime();
}

/** Before the server has told anything: the calendar month in UTC. */
export function firstPeriod(at: Instant): Period {
  const date = new Date(at);
  const startsAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  return { number: 1, startsAt, resetsAt: addMonths(startsAt, 1), confirmed: false, openedAt: at };
}

/** The period at `at`: the same, or the one after its reset, assumed to last a month. */
export function rollPeriod(period: Period, at: Instant): Period {
  let current = period;
  while (at >= current.resetsAt) {
    current = {
      number: current.number + 1,
      startsAt: current.resetsAt,
      resetsAt: addMonths(current.resetsAt, 1),
      confirmed: false,
      previousEnd: current.resetsAt,
      openedAt: current.resetsAt,
    };
  }
  return current;
}

export interface ToldReset {
  /** Which period the answer speaks of; `unknown`: it names no usable date. */
  readonly speaksOf: 'current' | 'previous' | 'unknown';
  readonly period: Period;
}

/**
 * What a reset date told at `at` makes of the period (already rolled to `at`): a confirmation or correction of it, a new
 * period when a confirmed date has jumped on, or nothing for a late answer of the period before.
 */
export function readResetDate(period: Period, told: Instant | undefined, at: Instant): ToldReset {
  if (told === undefined) return { speaksOf: 'unknown', period };
  const { previousEnd } = period;
  // It was begun by a clock that ran ahead and has been set right: the date told is the end of what we are in.
  if (at + SAME_RESET_MS < period.startsAt && told > at)
    return { speaksOf: 'current', period: setRight(period, told, at) };
  if (previousEnd !== undefined && told < previousEnd + SAME_RESET_MS)
    return { speaksOf: 'previous', period };
  if (told <= at) return { speaksOf: 'unknown', period };
  if (period.confirmed && told > period.resetsAt + SAME_RESET_MS)
    return { speaksOf: 'current', period: nextPeriod(period, told, at) };
  const startsAt = period.confirmed ? period.startsAt : confirmedStart(period, told, at);
  return { speaksOf: 'current', period: { ...period, startsAt, resetsAt: told, confirmed: true } };
}

function nextPeriod(period: Period, told: Instant, at: Instant): Period {
  return {
    number: period.number + 1,
    startsAt: at,
    resetsAt: told,
    confirmed: true,
    previousEnd: period.resetsAt,
    openedAt: at,
  };
}

function setRight(period: Period, told: Instant, at: Instant): Period {
  const startsAt = Math.min(addMonths(told, -1), at);
  return { number: period.number, startsAt, resetsAt: told, confirmed: true, openedAt: startsAt };
}

/** The first date told also says when the period began: a month before. After a rollover we know the start already. */
function confirmedStart(period: Period, told: Instant, at: Instant): Instant {
  return period.previousEnd === undefined ? Math.min(addMonths(told, -1), at) : period.startsAt;
}
