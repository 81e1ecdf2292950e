/** The texts of a chart: title, subtitle, and alt text. Pure. */
import { findBusiestHours, formatWeekHour, MAX_NAMED_HOURS } from './busiest-hours.ts';
import type { BurnChartData, ChartData, FunnelChartData, HoursChartData } from './chart-renderer.ts';
import {
  formatChartCount,
  formatChartDay,
  formatChartList,
  formatChartNumber,
  formatChartPercent,
} from './format-chart-values.ts';

export interface ChartTexts {
  readonly title: string;
  readonly subtitle: string;
  /** Replaces the chart for people who can't see it. */
  readonly alt: string;
}

export function getCreditsSpentByNow({ spent, now }: BurnChartData): number {
  return spent.findLast(({ at }) => at <= now)?.total ?? 0;
}

/** The elapsed share of the period, from 0 to 1. */
export function elapsedPeriodShare({ startsAt, resetsAt, now }: BurnChartData): number {
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

function describeFunnel({ days, sent, viewed, interviewed, hired }: FunnelChartData): ChartTexts {
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
    subtitle: rates.length > 0 ? rates.join(' · ') : `${formatChartNumber(viewed)} viewed, no interviews yet`,
    alt: `${title}: ${part(viewed, 'viewed')}, ${part(interviewed, 'interviewed')}, ${part(hired, 'hired')}.`,
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
