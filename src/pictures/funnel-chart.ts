/** The outcomes of proposals as a bar funnel. Pure. */

import type { FunnelChartData } from './chart-renderer.ts';
import {
  BASE_CHART_OPTION,
  CHART_COLORS,
  CHART_MARGIN,
  CHART_WIDTH,
  CONTENT_RIGHT,
  chartHeadingElements,
  chartTextElement,
  type EchartsChart,
  SMALL_FONT_SIZE,
} from './chart-style.ts';
import { describeChart, formatChartNumber, formatChartPercent } from './describe-chart.ts';

const TOP = 190;
const ROW = 128;
const BAR = 42;
/** From the top of a row to the middle of its text, and of its bar. */
const WORDS_AT = 34;
const BAR_AT = 88;
const NAME = 36;
const COUNT_AT = 300;

interface Step {
  readonly name: string;
  readonly count: number;
  readonly parts: readonly string[];
}

function stepsOf({ sent, viewed, interviewed, hired }: FunnelChartData): readonly Step[] {
  const part = (count: number, of: number, name: string) => {
    const share = formatChartPercent(count, of);
    return share === undefined ? [] : [`${share} of ${name}`];
  };
  return [
    { name: 'Sent', count: sent, parts: [] },
    { name: 'Viewed', count: viewed, parts: part(viewed, sent, 'sent') },
    {
      name: 'Interviewed',
      count: interviewed,
      parts: [...part(interviewed, viewed, 'viewed'), ...part(interviewed, sent, 'sent')],
    },
    {
      name: 'Hired',
      count: hired,
      parts: [...part(hired, interviewed, 'interviewed'), ...part(hired, sent, 'sent')],
    },
  ];
}

export function funnelChart(picture: FunnelChartData): EchartsChart {
  const { title, subtitle } = describeChart(picture);
  const steps = stepsOf(picture);
  const height = TOP + steps.length * ROW + 26;
  const most = Math.max(1, ...steps.map(({ count }) => count));
  // The grid's rows are the categories and center their bars, so the grid is shifted to where bars should be.
  const shift = BAR_AT - ROW / 2;
  const words = steps.flatMap(({ name, count, parts }, at) => {
    const y = TOP + at * ROW + WORDS_AT;
    return [
      chartTextElement(name, CHART_MARGIN, y, { size: NAME }),
      chartTextElement(formatChartNumber(count), COUNT_AT, y, { size: NAME, bold: true }),
      chartTextElement(parts.join(' · '), CONTENT_RIGHT, y, {
        size: SMALL_FONT_SIZE,
        align: 'right',
        colour: CHART_COLORS.muted,
      }),
    ];
  });
  return {
    height,
    option: {
      ...BASE_CHART_OPTION,
      grid: {
        left: CHART_MARGIN,
        right: CHART_WIDTH - CONTENT_RIGHT,
        top: TOP + shift,
        height: steps.length * ROW,
        outerBoundsMode: 'none',
      },
      xAxis: { type: 'value', min: 0, max: most, show: false },
      yAxis: { type: 'category', inverse: true, show: false, data: steps.map(({ name }) => name) },
      series: [
        {
          type: 'bar',
          silent: true,
          barWidth: BAR,
          showBackground: true,
          backgroundStyle: { color: CHART_COLORS.faint, borderRadius: 8 },
          // A small share must stay visible.
          barMinHeight: 8,
          data: steps.map(({ count }, at) => ({
            value: count > 0 ? count : null,
            itemStyle: {
              color: at === steps.length - 1 ? CHART_COLORS.orange : CHART_COLORS.blue,
              borderRadius: 8,
            },
          })),
        },
      ],
      graphic: [...chartHeadingElements(title, subtitle), ...words],
    },
  };
}
