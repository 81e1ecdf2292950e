/** The charts in a digest's thread, each below a line with what it says. Pure. */
import type { DigestCharts, DigestFacts } from '../../digests/facts.ts';
import type { Message } from '../core/routes.ts';
import { joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { type ChartBlock, chartBlock, chartText } from '../kit/chart-block.ts';
import { escapeMrkdwn } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber, formatShare } from '../kit/numbers.ts';
import { formatMonthDay, WEEKDAYS } from './digest-state.ts';

type Burn = NonNullable<DigestCharts['burn']>;
type Funnel = NonNullable<DigestCharts['funnel']>;
type Arrivals = NonNullable<DigestCharts['arrivals']>;

/** A line of mrkdwn, and the charts that it sums up. */
interface ChartGroup {
  readonly takeaway: string;
  readonly charts: readonly ChartBlock[];
}

function burnGroup(points: Burn): ChartGroup {
  const last = points.at(-1);
  const [spent, pace] = [last?.spent ?? 0, last?.pace];
  const block = chartBlock({
    type: 'line',
    title: 'Credits spent in this billing period',
    xLabel: 'By the end of the day',
    yLabel: 'Credits',
    categories: points.map(({ day }) => formatMonthDay(day)),
    series: {
      Spent: points.map((point) => point.spent),
      ...(pace === undefined ? {} : { 'Even pace': points.map((point) => point.pace ?? 0) }),
    },
  });
  const takeaway = joinFacts(
    `*${formatCount(spent, 'credit')} spent in this billing period*`,
    pace === undefined ? undefined : `at an even pace, it would be ${formatNumber(pace)}`,
  );
  return { takeaway, charts: [block] };
}

/** `1 interview in 9 proposals`. Above one half, rounding would make it 1 in 1. */
function oneIn(part: number, whole: number, noun: string): string | undefined {
  if (part === 0) return undefined;
  if (2 * part > whole) return `${formatCount(part, noun)} in ${formatCount(whole, 'proposal')}`;
  return `1 ${noun} in ${formatCount(Math.round(whole / part), 'proposal')}`;
}

function funnelGroup({ days, sent, viewed, interviewed, hired, invited }: Funnel): ChartGroup {
  const block = chartBlock({
    type: 'bar',
    title: `Proposals sent in the last ${formatCount(days, 'day')}`,
    xLabel: 'Result so far',
    yLabel: 'Proposals',
    categories: ['Sent', 'Viewed', 'Interviewed', 'Hired'],
    series: { Proposals: [sent, viewed, interviewed, hired] },
  });
  const hires = hired === 0 ? 'No hires' : formatCount(hired, 'hire');
  const replied = `${formatCount(invited.sent, 'invitation')} (${formatCount(invited.hired, 'hire')})`;
  const takeaway = joinFacts(
    `*${hires} from ${formatCount(sent, 'proposal')} in ${formatCount(days, 'day')}*`,
    `${escapeMrkdwn(formatShare(viewed, sent))} viewed`,
    oneIn(interviewed, sent, 'interview'),
    oneIn(hired, sent, 'hire'),
    invited.sent > 0 ? `not counted: replies to ${replied}` : undefined,
  );
  return { takeaway, charts: [block] };
}

const HALVES = ['AM', 'PM'] as const;

/** `12–2 AM`, `10 AM–12 PM`. @param from an even hour, 0 to 22 */
function twoHoursText(from: number): string {
  const to = from + 2;
  const half = (hour: number) => HALVES[Math.floor(hour / 12) % 2];
  const start = half(from) === half(to) ? `${from % 12 || 12}` : `${from % 12 || 12} ${half(from)}`;
  return `${start}–${to % 12 || 12} ${half(to)}`;
}

/** The one with the most; undefined if there are several. */
function busiest(names: readonly string[], counts: readonly number[]): string | undefined {
  const most = Math.max(...counts);
  const first = counts.indexOf(most);
  return counts.lastIndexOf(most) === first ? names[first] : undefined;
}

function arrivalsGroup({ days, byTime, byWeekday }: Arrivals, timezone: string): ChartGroup {
  const [hours, weekdays] = [byTime.map((_, at) => twoHoursText(2 * at)), WEEKDAYS];
  const yLabel = 'Projects';
  const times = chartBlock({
    type: 'bar',
    title: `Projects by time of day, last ${formatCount(days, 'day')}`,
    xLabel: `Time in ${timezone}`,
    yLabel,
    categories: hours,
    series: { Projects: byTime },
  });
  const ofWeek = chartBlock({
    type: 'bar',
    title: `Projects by weekday, last ${formatCount(days, 'day')}`,
    xLabel: `Day in ${timezone}`,
    yLabel,
    categories: weekdays,
    series: { Projects: byWeekday },
  });
  const all = byWeekday.reduce((sum, projects) => sum + projects, 0);
  const [time, day] = [busiest(hours, byTime), busiest(weekdays, byWeekday)];
  const takeaway = joinFacts(
    `*${formatCount(all, 'project')} published in the last ${formatCount(days, 'day')}*`,
    time && `busiest time: ${time}`,
    day && `busiest day: ${day}`,
  );
  return { takeaway, charts: [times, ofWeek] };
}

function chartGroup(
  { charts, timezone }: Pick<DigestFacts, 'charts' | 'timezone'>,
  name: keyof DigestCharts,
): readonly ChartGroup[] {
  const { burn, funnel, arrivals } = charts ?? {};
  if (name === 'burn') return burn ? [burnGroup(burn)] : [];
  if (name === 'funnel') return funnel ? [funnelGroup(funnel)] : [];
  return arrivals ? [arrivalsGroup(arrivals, timezone)] : [];
}

/** @param names as many as Slack takes in a message */
export function digestChartsMessage(facts: DigestFacts, names: readonly (keyof DigestCharts)[]): Message {
  const groups = names.flatMap((name) => chartGroup(facts, name));
  return {
    text: joinLines(...groups.flatMap(({ takeaway, charts }) => [takeaway, ...charts.map(chartText)])),
    blocks: groups.flatMap(({ takeaway, charts }) => [sectionBlock(takeaway), ...charts]),
  };
}
