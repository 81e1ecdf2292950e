/** Credits spent in a billing period, against the even pace to its end. Pure. */
import type { Instant } from '../clock.ts';
import { labelBurn } from './burn-labels.ts';
import { PLOT, setScene } from './burn-scene.ts';
import { describePicture } from './describe-picture.ts';
import { BASE, type Chart, COLOURS, heading, MARGIN, RIGHT, SMALL, text, WIDTH } from './look.ts';
import type { BurnPicture } from './pictures.ts';
import type { Point } from './place-labels.ts';
import { day } from './words.ts';

const HEIGHT = 740;

/** The dates below the chart: begin, end, and today where there is room for it between them. */
function dates(picture: BurnPicture, today: Point) {
  const { startsAt, resetsAt, now, timezone } = picture;
  const y = PLOT.bottom + 42;
  const style = { size: SMALL, colour: COLOURS.muted };
  const room = 190;
  const fits = today.x > MARGIN + room && today.x < RIGHT - room;
  return [
    text(day(startsAt, timezone), MARGIN, y, style),
    text(day(resetsAt, timezone), RIGHT, y, { ...style, align: 'right' }),
    ...(fits
      ? [text(day(now, timezone), today.x, y, { ...style, align: 'center', colour: COLOURS.ink })]
      : []),
  ];
}

/** @throws RangeError when there is no such time zone. */
export function burnChart(picture: BurnPicture): Chart {
  const { title, subtitle } = describePicture(picture);
  const { startsAt } = picture;
  const scene = setScene(picture);
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
    itemStyle: { color: colour, borderColor: COLOURS.background, borderWidth: 4 },
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
            COLOURS.ink,
            4,
          ),
          ...(limit > 0
            ? [
                line(
                  [
                    [startsAt, 0],
                    [end, limit],
                  ],
                  COLOURS.muted,
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
            COLOURS.orange,
            6,
            [4, 14],
          ),
          dot(runsOutAt, limit, COLOURS.orange),
        ];
  return {
    height: HEIGHT,
    option: {
      ...BASE,
      grid: {
        left: PLOT.left,
        right: WIDTH - PLOT.right,
        top: PLOT.top,
        bottom: HEIGHT - PLOT.bottom,
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
          COLOURS.faint,
          4,
        ),
        line(
          [
            [now, 0],
            [now, scene.highest],
          ],
          COLOURS.faint,
          4,
        ),
        ...budget,
        { ...line(scene.spending, COLOURS.blue, 8), areaStyle: { color: COLOURS.softBlue } },
        ...forecast,
        dot(now, total, COLOURS.blue),
      ],
      graphic: [
        ...heading(title, subtitle),
        ...labelBurn(scene, picture, {
          x: MARGIN,
          y: PLOT.top - 34,
          width: RIGHT - MARGIN,
          height: PLOT.bottom - PLOT.top + 26,
        }),
        ...dates(picture, scene.place(now, 0)),
      ],
    },
  };
}
