/** When projects are published, as a heat map of the week's hours. Pure. */

import type { HoursChartData } from './chart-renderer.ts';
import {
  BASE_CHART_OPTION,
  CHART_COLORS,
  CHART_MARGIN,
  CHART_WIDTH,
  CONTENT_RIGHT,
  chartHeadingElements,
  chartTextElement,
  type EchartsChart,
  estimateTextWidth,
  MIN_FONT_SIZE,
  SMALL_FONT_SIZE,
} from './chart-style.ts';
import {
  describeChart,
  findBusiestHours,
  formatChartCount,
  formatChartHour,
  formatChartNumber,
  HOURS_PER_DAY,
  listWeekHourCounts,
  MAX_NAMED_HOURS,
  WEEKDAY_LABELS,
  type WeekHourCount,
} from './describe-chart.ts';

const TOP = 230;
const LEFT = 132;
const CELL = { width: (CONTENT_RIGHT - LEFT) / HOURS_PER_DAY, height: 58 };
const BOTTOM = TOP + WEEKDAY_LABELS.length * CELL.height;
const HEIGHT = BOTTOM + 104;
/** One blue from pale to dark: lightness alone carries the value, even for colorblind people. */
const SHADES = ['#E2E8F0', '#B5D3EC', '#6CAAD9', '#2A78B8', '#0A3F75'];
const SCALE_CELL = 44;

/** Keeps low counts distinct from none, even where one hour has very many. */
const shade = (projects: number) => Math.sqrt(projects);

/** The legend: how many projects each shade means, with text at the ends. */
function scale(most: number) {
  const y = BOTTOM + 62;
  const style = { size: SMALL_FONT_SIZE, colour: CHART_COLORS.muted };
  const last = chartTextElement(formatChartCount(most, 'project'), CONTENT_RIGHT, y, {
    ...style,
    align: 'right',
  });
  const width = estimateTextWidth(formatChartCount(most, 'project'), style) + 14;
  const left = CONTENT_RIGHT - width - SHADES.length * SCALE_CELL;
  return [
    chartTextElement('0', left - 18, y, { ...style, align: 'right' }),
    ...SHADES.map((fill, at) => ({
      type: 'rect' as const,
      silent: true,
      shape: { x: left + at * SCALE_CELL, y: y - 16, width: SCALE_CELL - 4, height: 32, r: 4 },
      style: { fill },
    })),
    last,
  ];
}

function axes(timezone: string) {
  const hours = Array.from({ length: HOURS_PER_DAY / 3 }, (_, at) => at * 3);
  const style = { size: MIN_FONT_SIZE, colour: CHART_COLORS.muted };
  return [
    ...WEEKDAY_LABELS.map((name, at) =>
      chartTextElement(name, CHART_MARGIN, TOP + (at + 0.5) * CELL.height, { size: SMALL_FONT_SIZE }),
    ),
    ...hours.map((hour) =>
      chartTextElement(formatChartHour(hour), LEFT + hour * CELL.width, TOP - 26, style),
    ),
    chartTextElement(`Times in ${timezone}`, CHART_MARGIN, BOTTOM + 62, {
      size: MIN_FONT_SIZE,
      colour: CHART_COLORS.muted,
    }),
  ];
}

/** Every hour of the week. The busiest have an outline, and their number where it fits. */
function cells({ counts }: HoursChartData) {
  const { first, next, most } = findBusiestHours(counts);
  const named = first.length <= MAX_NAMED_HOURS && most > 1 ? [...first, ...next] : [];
  const isNamed = (it: WeekHourCount) => named.some(({ day, hour }) => it.day === day && it.hour === hour);
  const value = ({ day, hour, count: projects }: WeekHourCount) => [hour, day, shade(projects)];
  const others = listWeekHourCounts(counts).filter((it) => !isNamed(it));
  // The last cells are drawn on top, so their outlines stay complete.
  return [
    ...others.map((it) => ({ value: value(it) })),
    ...named.map((it) => ({
      value: value(it),
      itemStyle: { borderColor: CHART_COLORS.orange, borderWidth: 5 },
      label: { show: it.count < 100, formatter: formatChartNumber(it.count) },
    })),
  ];
}

export function hoursChart(picture: HoursChartData): EchartsChart {
  const { title, subtitle } = describeChart(picture);
  const { most } = findBusiestHours(picture.counts);
  const cell = { borderColor: CHART_COLORS.background, borderWidth: 4, borderRadius: 8 };
  return {
    height: HEIGHT,
    option: {
      ...BASE_CHART_OPTION,
      grid: {
        left: LEFT,
        right: CHART_WIDTH - CONTENT_RIGHT,
        top: TOP,
        bottom: HEIGHT - BOTTOM,
        outerBoundsMode: 'none',
      },
      xAxis: {
        type: 'category',
        show: false,
        data: Array.from({ length: HOURS_PER_DAY }, (_, hour) => String(hour)),
      },
      yAxis: { type: 'category', show: false, inverse: true, data: [...WEEKDAY_LABELS] },
      visualMap: { show: false, min: 0, max: Math.max(1, shade(most)), inRange: { color: SHADES } },
      series: [
        {
          type: 'heatmap',
          silent: true,
          itemStyle: cell,
          label: { color: '#FFFFFF', fontSize: MIN_FONT_SIZE, fontWeight: 'bold' },
          data: cells(picture),
        },
      ],
      graphic: [
        ...chartHeadingElements(title, subtitle),
        ...axes(picture.timezone),
        ...(most > 0 ? scale(most) : []),
      ],
    },
  };
}
