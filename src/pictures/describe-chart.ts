/**
 * The texts of a chart: title, subtitle and alt text, the busiest hours they name, and the formats of numbers
 * and dates. Pure.
 */
import type { Instant } from '../clock.ts';
import type { BurnChartData, ChartData, FunnelChartData, HoursChartData } from './chart-renderer.ts';

interface ChartTexts {
  readonly title: string;
  readonly subtitle: string;
  /** Replaces the chart for people who can't see it. */
  readonly alt: string;
}

/** @throws RangeError when there is no such time zone. */
export function describeChart(picture: ChartData): ChartTexts {
  switch (picture.kind) {
    case 'burn':
      return describeBurn(picture);
    case 'funnel':
      return describeFunnel(picture);
    case 'hours':
      return describeHours(picture);
  }
}

export function getCreditsSpentByNow({ spent, now }: BurnChartData): number {
  return spent.findLast(({ at }) => at <= now)?.total ?? 0;
}

/** The elapsed share of the period, from 0 to 1. */
function elapsedPeriodShare({ startsAt, resetsAt, now }: BurnChartData): number {
  return Math.max(0, Math.min(1, (now - startsAt) / Math.max(1, resetsAt - startsAt)));
}

function burnTitle(limit: number | undefined, total: number): string {
  if (limit === undefined) return `${formatChartCount(total, 'credit')} spent`;
  if (limit === 0) return `${formatChartCount(total, 'credit')} spent with a budget of 0`;
  if (total === 0) return `0 of ${formatChartCount(limit, 'credit')} spent`;
  const share = formatChartPercent(total, limit);
  return `${formatChartNumber(total)} of ${formatChartCount(limit, 'credit')} spent (${share})`;
}

function burnOutlook(picture: BurnChartData, total: number): readonly string[] {
  const { limit, timezone, runsOutAt, resetsAt } = picture;
  const reset = `resets ${formatChartDay(resetsAt, timezone)}`;
  if (limit === undefined)
    return ['No budget set', `the billing period ends ${formatChartDay(resetsAt, timezone)}`];
  if (limit === 0) return ['No credits to spend', reset];
  const pace = `Even pace: ${formatChartPercent(elapsedPeriodShare(picture), 1)}`;
  if (total >= limit) return [pace, `used up, ${reset}`];
  return runsOutAt === undefined
    ? [pace, reset]
    : [pace, `runs out ${formatChartDay(runsOutAt, timezone)}`, reset];
}

function describeBurn(picture: BurnChartData): ChartTexts {
  const total = getCreditsSpentByNow(picture);
  const title = burnTitle(picture.limit, total);
  const outlook = burnOutlook(picture, total);
  return {
    title,
    subtitle: outlook.join(' · '),
    alt: `Credits by ${formatChartDay(picture.now, picture.timezone)}: ${title}. ${outlook.join(', ')}.`,
  };
}

/** "One in N", if there are any. Above one half, rounding would make it "one in one". */
function oneIn(part: number, whole: number, of: string): readonly string[] {
  if (part === 0) return [];
  if (2 * part > whole) return [`${formatChartCount(part, of)} in ${formatChartCount(whole, 'proposal')}`];
  return [`1 ${of} in ${formatChartCount(Math.round(whole / part), 'proposal')}`];
}

/** What the chart leaves out, so that its numbers agree with lists that have it. */
function repliesText({ invited }: FunnelChartData): readonly string[] {
  if (invited.sent === 0) return [];
  const hires = invited.hired === 0 ? 'no hires' : formatChartCount(invited.hired, 'hire');
  return [`Not counted: replies to ${formatChartCount(invited.sent, 'invitation')} (${hires})`];
}

function describeFunnel(chart: FunnelChartData): ChartTexts {
  const { days, sent, viewed, interviewed, hired } = chart;
  if (sent === 0) {
    const title = `No proposals sent in ${formatChartCount(days, 'day')}`;
    return { title, subtitle: 'Results of your next proposals will appear here', alt: `${title}.` };
  }
  const hires = hired === 0 ? 'No hires' : formatChartCount(hired, 'hire');
  const title = `${hires} from ${formatChartCount(sent, 'proposal')} in ${formatChartCount(days, 'day')}`;
  const rates = [...oneIn(interviewed, sent, 'interview'), ...oneIn(hired, sent, 'hire')];
  const part = (value: number, verb: string) =>
    `${formatChartNumber(value)} ${verb} (${formatChartPercent(value, sent)})`;
  return {
    title,
    subtitle: [
      ...(rates.length > 0 ? rates : [`${formatChartNumber(viewed)} viewed, no interviews yet`]),
      ...repliesText(chart),
    ].join(' · '),
    alt: [
      `${title}: ${part(viewed, 'viewed')}, ${part(interviewed, 'interviewed')}, ${part(hired, 'hired')}.`,
      ...repliesText(chart).map((text) => `${text}.`),
    ].join(' '),
  };
}

function describeHours({ days, timezone, counts }: HoursChartData): ChartTexts {
  const { total, most, first, next } = findBusiestHours(counts);
  const span = formatChartCount(days, 'day');
  const all = `${formatChartCount(total, 'project')} in ${span}`;
  const words = (title: string, subtitle: string): ChartTexts => ({
    title,
    subtitle,
    alt: `${title}. ${subtitle}. Times in ${timezone}.`,
  });
  if (total === 0) return words(`No projects in ${span}`, 'Your next projects will appear here');
  const named = first.map(formatWeekHour);
  if (most === 1)
    return words(
      all,
      total > MAX_NAMED_HOURS
        ? 'No hour of the week has more than 1 project'
        : `At ${formatChartList(named)}`,
    );
  if (first.length === 1) {
    const others = next.map(formatWeekHour);
    const also = others.length > 0 ? `Next: ${formatChartList(others)} · ` : '';
    return words(`Busiest hour: ${named[0]}, ${formatChartCount(most, 'project')}`, `${also}${all}`);
  }
  if (first.length <= MAX_NAMED_HOURS)
    return words(`Busiest: ${formatChartList(named)}`, `${formatChartCount(most, 'project')} each · ${all}`);
  const count = formatChartNumber(first.length);
  return words(all, `Busiest: ${count} hours of the week with ${formatChartCount(most, 'project')} each`);
}

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

interface BusiestHours {
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
function formatWeekHour({ day, hour }: Pick<WeekHourCount, 'day' | 'hour'>): string {
  return `${WEEKDAY_LABELS[day] ?? ''} ${formatChartHour(hour)}`;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** From here on only the magnitude matters, and all digits would fill the chart. */
const LONG = 1_000_000;

/** `412`, `12,345`, `1.2M` */
export function formatChartNumber(value: number): string {
  return Math.abs(value) < LONG ? whole.format(value) : compact.format(value);
}

/** `1 project`, `1,200 projects` */
export function formatChartCount(value: number, noun: string): string {
  return `${formatChartNumber(value)} ${value === 1 ? noun : `${noun}s`}`;
}

/**
 * A share of a whole: `82%`. Never `0%` for something, nor `100%` for less than all.
 * @returns undefined when the whole is 0.
 */
export function formatChartPercent(part: number, of: number): string | undefined {
  if (of <= 0) return undefined;
  const ratio = part / of;
  if (ratio > 0 && ratio < 0.01) return '<1%';
  if (ratio > 0.99 && ratio < 1) return '>99%';
  return `${formatChartNumber(Math.round(ratio * 100))}%`;
}

/** `Nov 24`, in the time zone (IANA name). @throws RangeError when there is no such zone. */
export function formatChartDay(at: Instant, timezone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: timezone, day: 'numeric', month: 'short' }).format(at);
}

/** `9 AM`. @param hour 0 to 23. */
export function formatChartHour(hour: number): string {
  return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `A`, `A and B`, `A, B, and C` */
function formatChartList(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  if (items.length < 2) return last;
  const rest = items.slice(0, -1);
  return rest.length === 1 ? `${rest[0]} and ${last}` : `${rest.join(', ')}, and ${last}`;
}
