import { DAY, HOUR } from '../../src/clock.ts';
import type {
  BurnChartData,
  ChartData,
  FunnelChartData,
  HoursChartData,
} from '../../src/pictures/chart-renderer.ts';

export const startsAt = Date.UTC(2026, 9, 31, 23);
const resetsAt = startsAt + 30 * DAY;
const MOST = Number.MAX_SAFE_INTEGER;

/** Half of the period has passed. */
export function burn(more: Partial<BurnChartData> = {}): BurnChartData {
  const now = startsAt + 15 * DAY;
  const spent = [{ at: startsAt + 5 * DAY, total: 412 }];
  return { kind: 'burn', timezone: 'Europe/Berlin', startsAt, resetsAt, now, spent, ...more };
}

export function funnel(more: Partial<FunnelChartData> = {}): FunnelChartData {
  return {
    kind: 'funnel',
    days: 30,
    sent: 412,
    viewed: 187,
    interviewed: 46,
    hired: 9,
    invited: { sent: 0, hired: 0 },
    ...more,
  };
}

export interface Hour {
  readonly day: number;
  readonly hour: number;
  readonly count: number;
}

export function hours(...busy: readonly Hour[]): HoursChartData {
  const counts = Array.from({ length: 7 }, (_, day) =>
    Array.from(
      { length: 24 },
      (_, hour) => busy.find((it) => it.day === day && it.hour === hour)?.count ?? 0,
    ),
  );
  return { kind: 'hours', days: 30, timezone: 'Europe/Berlin', counts };
}

/** A different number for every hour of the week. */
export const dense: HoursChartData = {
  ...hours(),
  counts: Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => ((day * 24 + hour) * 61) % 167),
  ),
};

/** Thousands of points, always rising. */
const busySpending = Array.from({ length: 20_000 }, (_, at) => ({
  at: startsAt + at * 0.01 * HOUR,
  total: at + ((at * 7919) % 97),
}));

/** Ordinary samples and extreme ones: the smallest, the largest and the strangest. */
export const pictures: Readonly<Record<string, ChartData>> = {
  'spending above an even pace': burn({ limit: 500, runsOutAt: startsAt + 18 * DAY }),
  'no budget': burn(),
  'nothing spent': burn({ limit: 500, spent: [] }),
  'nothing spent and no budget': burn({ spent: [] }),
  'a budget of 0': burn({ limit: 0, spent: [] }),
  'more spent than the budget of 0': burn({ limit: 0 }),
  'the first moment': burn({ now: startsAt, limit: 500, spent: [] }),
  'one point': burn({ limit: 500, spent: [{ at: startsAt, total: 1 }] }),
  'the last moment': burn({ now: resetsAt, limit: 500 }),
  'after the period': burn({ now: resetsAt + DAY, limit: 500 }),
  'before the period': burn({ now: startsAt - DAY, limit: 500 }),
  'a period without length': burn({ resetsAt: startsAt, limit: 500 }),
  'a budget exceeded tenfold': burn({ limit: 41 }),
  'runs out at once': burn({ limit: 413, runsOutAt: startsAt + 15 * DAY + 1 }),
  'runs out at the end': burn({ limit: 500, runsOutAt: resetsAt }),
  'very many credits': burn({
    limit: MOST,
    spent: [{ at: startsAt + DAY, total: MOST - 1 }],
    runsOutAt: resetsAt - 1,
  }),
  'almost a million credits': burn({
    limit: 999_999,
    spent: [{ at: startsAt + DAY, total: 888_888 }],
    runsOutAt: startsAt + 28 * DAY,
  }),
  'very many moments of spending': burn({ limit: 20_000, spent: busySpending }),
  'a funnel': funnel(),
  'no proposals': funnel({ sent: 0, viewed: 0, interviewed: 0, hired: 0 }),
  'one proposal': funnel({ days: 1, sent: 1, viewed: 0, interviewed: 0, hired: 0 }),
  'more interviews than views': funnel({ viewed: 0, interviewed: 500, hired: 3 }),
  'very many proposals': funnel({ days: 365, sent: MOST, viewed: MOST, interviewed: 999_999, hired: 1 }),
  'no projects': hours(),
  'one project': hours({ day: 6, hour: 23, count: 1 }),
  'all in one hour': hours({ day: 0, hour: 0, count: 123_456_789 }),
  'the same in every hour': { ...hours(), counts: hours().counts.map((day) => day.map(() => 12)) },
  'every hour another number': dense,
  'a long name of a time zone': { ...dense, timezone: 'America/Argentina/ComodRivadavia' },
  'no rows': { ...hours(), counts: [] },
};
