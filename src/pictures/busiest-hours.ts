/** Finds the busiest hours of the week. Pure. */
import { formatChartHour } from './format-chart-values.ts';

export const WEEKDAY_LABELS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const HOURS_PER_DAY = 24;
/** People don't read more names than this. */
export const MAX_NAMED_HOURS = 3;

export interface WeekHourCount {
  /** From 0, Monday. */
  readonly day: number;
  readonly hour: number;
  readonly count: number;
}

export interface BusiestHours {
  readonly total: number;
  /** The count of the busiest hour; 0 when there is nothing. */
  readonly most: number;
  /** All hours with that count. */
  readonly first: readonly WeekHourCount[];
  /** The next hours, up to three in total; only when ties don't make the choice unclear. */
  readonly next: readonly WeekHourCount[];
}

/** All 168 hours; missing counts are 0. */
export function listWeekHourCounts(counts: readonly (readonly number[])[]): readonly WeekHourCount[] {
  return WEEKDAY_LABELS.flatMap((_, day) =>
    Array.from({ length: HOURS_PER_DAY }, (_, hour) => ({ day, hour, count: counts[day]?.[hour] ?? 0 })),
  );
}

export function findBusiestHours(counts: readonly (readonly number[])[]): BusiestHours {
  const hours = listWeekHourCounts(counts)
    .filter((it) => it.count > 0)
    .toSorted((a, b) => b.count - a.count || a.day - b.day || a.hour - b.hour);
  const most = hours[0]?.count ?? 0;
  const first = hours.filter((it) => it.count === most);
  const rest = hours.slice(first.length, MAX_NAMED_HOURS + 1).filter((it) => it.count > 1);
  // Naming only some of the hours with the same count would be arbitrary.
  const cut = rest.length + first.length > MAX_NAMED_HOURS ? rest.at(-1)?.count : 0;
  return {
    total: hours.reduce((sum, it) => sum + it.count, 0),
    most,
    first,
    next: rest.filter((it) => it.count !== cut).slice(0, Math.max(0, MAX_NAMED_HOURS - first.length)),
  };
}

/** `Tue 2 PM` */
export function formatWeekHour({ day, hour }: Pick<WeekHourCount, 'day' | 'hour'>): string {
  return `${WEEKDAY_LABELS[day] ?? ''} ${formatChartHour(hour)}`;
}
