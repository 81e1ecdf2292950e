/** Credits spent in a billing period, against the even pace to its end. Pure. */
import type { Instant } from '../clock.ts';
import { labelBurn } from './burn-labels.ts';
import { describePicture, spentByNow } from './describe-picture.ts';
import { BASE, type Chart, COLOURS, heading, MARGIN, RIGHT, SMALL, text, WIDTH } from './look.ts';
import type { BurnPicture } from './pictures.ts';
import type { Point } from './place-labels.ts';
import { day } from './words.ts';

const HEIGHT = 740;
const TOP = 214;
const BOTTOM = 650;
/** Room for the dot of today and its like at the edges. */
const INSET = 14;
/** More points than this can't be told apart. */
const POINTS = 200;
/** This part of the period without spending shows as a level line. */
const LEVEL = 40;
/** The highest line stays this far below the top. */
const HEADROOM = 1.14;

/** In credits and time, and where that is in pixels. */
export interface BurnScene {
  readonly total: number;
  readonly now: Instant;
  readonly limit?: number;
  readonly runsOutAt?: Instant;
  readonly spending: readonly (readonly [Instant, number])[];
  readonly place: (at: Instant, credits: number) => Point;
}

/** The last point of each stretch, so that what is drawn doesn't grow with what happened. */
function thinOut<T extends { readonly at: Instant }>(
  points: readonly T[],
  from: Instant,
  to: Instant,
): readonly T[] {
  const stretch = Math.max(1, (to - from) / POINTS);
  return points.filter((point, at) => {
    const next = points[at + 1];
    return !next || Math.floor((next.at - from) / stretch) !== Math.floor((point.at - from) / stretch);
  });
}

/** From the period's start to today. Over a longer time without spending the line stays level; short ones would only make it rough. */
function spendingLine(picture: BurnPicture, now: Instant): readonly (readonly [Instant, number])[] {
  const { startsAt, resetsAt, spent } = picture;
  const within = spent.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
  const long = (resetsAt - startsAt) / LEVEL;
  let [when, height] = [startsAt, 0];
  const line: (readonly [Instant, number])[] = [[when, height]];
  for (const { at, total } of thinOut(within, startsAt, resetsAt)) {
    if (at - when > long) line.push([at, height]);
    [when, height] = [Math.max(at, startsAt), total];
    line.push([when, height]);
  }
  return [...line, [now, height]];
}

/** The dates below the chart: begin, end, and today where there is room for it between them. */
function dates(picture: BurnPicture, today: Point) {
  const { startsAt, resetsAt, now, timezone } = picture;
  const y = BOTTOM + 42;
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

function setScene(picture: BurnPicture): BurnScene & { readonly end: Instant; readonly highest: number } {
  const { startsAt, limit, runsOutAt } = picture;
  const end = Math.max(picture.resetsAt, startsAt + 1);
  const now = Math.max(startsAt, Math.min(picture.now, end));
  const total = spentByNow(picture);
  const highest = Math.max(1, limit ?? total * 1.4, total) * HEADROOM;
  const isAhead = limit !== undefined && runsOutAt !== undefined && runsOutAt > now && runsOutAt <= end;
  return {
    total,
    now,
    end,
    highest,
    ...(limit === undefined ? {} : { limit }),
    ...(isAhead && total < limit ? { runsOutAt } : {}),
    spending: spendingLine(picture, now),
    place: (at, credits) => ({
      x: MARGIN + INSET + ((at - startsAt) / (end - startsAt)) * (RIGHT - MARGIN - 2 * INSET),
      y: BOTTOM - (credits / highest) * (BOTTOM - TOP),
    }),
  };
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
        left: MARGIN + INSET,
        right: WIDTH - RIGHT + INSET,
        top: TOP,
        bottom: HEIGHT - BOTTOM,
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
          y: TOP - 34,
          width: RIGHT - MARGIN,
          height: BOTTOM - TOP + 26,
        }),
        ...dates(picture, scene.place(now, 0)),
      ],
    },
  };
}
