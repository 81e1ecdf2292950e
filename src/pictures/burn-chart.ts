/** The spending chart: credits spent in a billing period, compared with an even pace. Pure. */
import type { Instant } from '../clock.ts';
import { BURN_CHART_PLOT_AREA, burnChartLabels, layOutBurnChart } from './burn-chart-layout.ts';
import type { BurnChartData } from './chart-renderer.ts';
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
import { describeChart, formatChartDay } from './describe-chart.ts';
import type { Point } from './place-labels.ts';

const HEIGHT = 740;

/** The dates below the chart: start, end, and today if there is room between them. */
function dates(picture: BurnChartData, today: Point) {
  const { startsAt, resetsAt, now, timezone } = picture;
  const y = BURN_CHART_PLOT_AREA.bottom + 42;
  const style = { size: SMALL_FONT_SIZE, colour: CHART_COLORS.muted };
  const room = 190;
  const fits = today.x > CHART_MARGIN + room && today.x < CONTENT_RIGHT - room;
  return [
    chartTextElement(formatChartDay(startsAt, timezone), CHART_MARGIN, y, style),
    chartTextElement(formatChartDay(resetsAt, timezone), CONTENT_RIGHT, y, { ...style, align: 'right' }),
    ...(fits
      ? [
          chartTextElement(formatChartDay(now, timezone), today.x, y, {
            ...style,
            align: 'center',
            colour: CHART_COLORS.ink,
          }),
        ]
      : []),
  ];
}

/** @throws RangeError when there is no such time zone. */
export function burnChart(picture: BurnChartData): EchartsChart {
  const { title, subtitle } = describeChart(picture);
  const { startsAt } = picture;
  const scene = layOutBurnChart(picture);
  const { total, now, end, limit, runsOutAt } = scene;
  const line = (
    data: readonly (readonly [number, number])[],
    colour: string,
    width: number,
    dash?: number[],
  ) => ({
    type: 'line' as const,
    data: data.map(([at, credits]) => [at, credits]),
    showSymbol: false,
    silent: true,
    lineStyle: { color: colour, width, cap: 'round' as const, ...(dash ? { type: dash } : {}) },
  });
  const dot = (at: Instant, credits: number, colour: string) => ({
    type: 'line' as const,
    data: [[at, credits]],
    symbol: 'circle',
    symbolSize: 24,
    z: 10,
    itemStyle: { color: colour, borderColor: CHART_COLORS.background, borderWidth: 4 },
  });
  const budget =
    limit === undefined
      ? []
      : [
          line(
            [
              [startsAt, limit],
              [end, limit],
            ],
            CHART_COLORS.ink,
            4,
          ),
          ...(limit > 0
            ? [
                line(
                  [
                    [startsAt, 0],
                    [end, limit],
                  ],
                  CHART_COLORS.muted,
                  4,
                  [12, 12],
                ),
              ]
            : []),
        ];
  const forecast =
    limit === undefined || runsOutAt === undefined
      ? []
      : [
          line(
            [
              [now, total],
              [runsOutAt, limit],
            ],
            CHART_COLORS.orange,
            6,
            [4, 14],
          ),
          dot(runsOutAt, limit, CHART_COLORS.orange),
        ];
  return {
    height: HEIGHT,
    option: {
      ...BASE_CHART_OPTION,
      grid: {
        left: BURN_CHART_PLOT_AREA.left,
        right: CHART_WIDTH - BURN_CHART_PLOT_AREA.right,
        top: BURN_CHART_PLOT_AREA.top,
        bottom: HEIGHT - BURN_CHART_PLOT_AREA.bottom,
        outerBoundsMode: 'none',
      },
      xAxis: { type: 'value', min: startsAt, max: end, show: false },
      yAxis: { type: 'value', min: 0, max: scene.highest, show: false },
      series: [
        line(
          [
            [startsAt, 0],
            [end, 0],
          ],
          CHART_COLORS.faint,
          4,
        ),
        line(
          [
            [now, 0],
            [now, scene.highest],
          ],
          CHART_COLORS.faint,
          4,
        ),
        ...budget,
        { ...line(scene.spending, CHART_COLORS.blue, 8), areaStyle: { color: CHART_COLORS.softBlue } },
        ...forecast,
        dot(now, total, CHART_COLORS.blue),
      ],
      graphic: [
        ...chartHeadingElements(title, subtitle),
        ...burnChartLabels(scene, picture, {
          x: CHART_MARGIN,
          y: BURN_CHART_PLOT_AREA.top - 34,
          width: CONTENT_RIGHT - CHART_MARGIN,
          height: BURN_CHART_PLOT_AREA.bottom - BURN_CHART_PLOT_AREA.top + 26,
        }),
        ...dates(picture, scene.toPoint(now, 0)),
      ],
    },
  };
}
