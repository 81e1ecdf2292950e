/**
 * Lays out the spending chart: its contents, their pixel positions, and its labels, each next to what it
 * names. Pure.
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { BurnChartData } from './chart-renderer.ts';
import {
  CHART_COLORS,
  CHART_MARGIN,
  CONTENT_RIGHT,
  chartTextElement,
  estimateTextWidth,
  LABEL_FONT_SIZE,
  SMALL_FONT_SIZE,
} from './chart-style.ts';
import { formatChartDay, formatChartNumber, getCreditsSpentByNow } from './describe-chart.ts';
import { type Box, chooseLabelPlacement, clampBox, type Point, pointsAlongLine } from './place-labels.ts';

/** Room at the edges for the dot of today and similar marks. */
const INSET = 14;
/** The area of the lines, in pixels of the image. */
export const BURN_CHART_PLOT_AREA = {
  left: CHART_MARGIN + INSET,
  right: CONTENT_RIGHT - INSET,
  top: 214,
  bottom: 650,
} as const;
/** More points than this look the same. */
const POINTS = 200;
/** A spending pause longer than this fraction of the period shows as a level line. */
const LEVEL = 40;
/** The highest line stays this far below the top. */
const HEADROOM = 1.14;

/** Amounts in credits and times, with their pixel positions. */
interface BurnChartLayout {
  readonly total: number;
  /** Within the period. */
  readonly now: Instant;
  /** Of the period; later than its start. */
  readonly end: Instant;
  /** Credits at the top of the chart. */
  readonly highest: number;
  readonly limit?: number;
  /** Set only if it is in the future and before the end. */
  readonly runsOutAt?: Instant;
  readonly spending: readonly (readonly [Instant, number])[];
  readonly toPoint: (at: Instant, credits: number) => Point;
}

/** Keeps the last point of each interval, so the drawing doesn't grow with the number of events. */
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

/** From the period's start to today. Long pauses in spending stay level; short ones would only look rough. */
function spendingLine(picture: BurnChartData, now: Instant): readonly (readonly [Instant, number])[] {
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

export function layOutBurnChart(picture: BurnChartData): BurnChartLayout {
  const { startsAt, limit, runsOutAt } = picture;
  const end = Math.max(picture.resetsAt, startsAt + 1);
  const now = Math.max(startsAt, Math.min(picture.now, end));
  const total = getCreditsSpentByNow(picture);
  const highest = Math.max(1, limit ?? total * 1.4, total) * HEADROOM;
  const isAhead = limit !== undefined && runsOutAt !== undefined && runsOutAt > now && runsOutAt <= end;
  return {
    total,
    now,
    end,
    highest,
    ...omitUndefined({ limit }),
    ...(isAhead && total < limit ? { runsOutAt } : {}),
    spending: spendingLine(picture, now),
    toPoint: (at, credits) => ({
      x:
        BURN_CHART_PLOT_AREA.left +
        ((at - startsAt) / (end - startsAt)) * (BURN_CHART_PLOT_AREA.right - BURN_CHART_PLOT_AREA.left),
      y:
        BURN_CHART_PLOT_AREA.bottom -
        (credits / highest) * (BURN_CHART_PLOT_AREA.bottom - BURN_CHART_PLOT_AREA.top),
    }),
  };
}

const GAP = 26;
/** An optional label may hide this much of a line: enough to touch it, not to run along it. */
const FEW = 6;

interface Label {
  readonly words: string;
  readonly size: number;
  readonly bold: boolean;
  readonly colour: string;
  /** Labels that repeat the headings are dropped when there is no room. */
  readonly isNeeded: boolean;
  /** Possible positions, best first. */
  readonly candidates: readonly Box[];
}

function sizeOf(words: string, size: number, bold: boolean) {
  return { width: estimateTextWidth(words, { size, bold }), height: size * 1.2 };
}

/** Boxes around a point: above or below it, to its left, to its right, or centered. */
function around({ x, y }: Point, { width, height }: Pick<Box, 'width' | 'height'>): readonly Box[] {
  const above = y - GAP - height;
  const below = y + GAP;
  return [
    { x: x - width - GAP / 2, y: above, width, height },
    { x: x + GAP / 2, y: below, width, height },
    { x: x - width / 2, y: above, width, height },
    { x: x - width - GAP / 2, y: below, width, height },
    { x: x + GAP / 2, y: above, width, height },
    { x: x + GAP, y: y - height / 2, width, height },
    { x: x - width - GAP, y: y - height / 2, width, height },
    { x: x - width / 2, y: below, width, height },
    ...[2, 4].flatMap((far) => [
      { x: x + GAP / 2, y: above - far * GAP, width, height },
      { x: x - width - GAP / 2, y: above - far * GAP, width, height },
      { x: x + far * GAP, y: y - height / 2, width, height },
      { x: x + far * GAP, y: above, width, height },
      { x: x - width - GAP / 2, y: below + far * GAP, width, height },
    ]),
  ];
}

function along(from: Point, to: Point, { width, height }: Pick<Box, 'width' | 'height'>): readonly Box[] {
  const slope = (from.y - to.y) / Math.max(1, to.x - from.x);
  return [0.8, 0.65, 0.5, 0.35, 0.2, 0.9].flatMap((part) => {
    const x = from.x + (to.x - from.x) * part;
    const y = from.y + (to.y - from.y) * part;
    const clear = (slope * width) / 2 + 14;
    return [
      { x: x - width / 2, y: y + clear, width, height },
      { x: x - width / 2, y: y - clear - height, width, height },
    ];
  });
}

function labelsOf(scene: BurnChartLayout, { timezone, startsAt, resetsAt }: BurnChartData): readonly Label[] {
  const { total, now, limit, runsOutAt, toPoint } = scene;
  const label = (
    words: string,
    colour: string,
    bold: boolean,
    places: (size: Pick<Box, 'width' | 'height'>) => readonly Box[],
  ) => {
    const size = bold ? LABEL_FONT_SIZE : SMALL_FONT_SIZE;
    return {
      words,
      size,
      bold,
      colour,
      isNeeded: colour === CHART_COLORS.blue,
      candidates: places(sizeOf(words, size, bold)),
    };
  };
  const spent = label(`${formatChartNumber(total)} spent`, CHART_COLORS.blue, true, (size) =>
    around(toPoint(now, total), size),
  );
  if (limit === undefined) return [spent];
  const [left, right] = [toPoint(startsAt, limit), toPoint(resetsAt, limit)];
  const budget = label(`budget ${formatChartNumber(limit)}`, CHART_COLORS.ink, true, ({ width, height }) =>
    [left.x, right.x - width, (left.x + right.x - width) / 2].flatMap((x) => [
      { x, y: left.y - height - 8, width, height },
      { x, y: left.y + 8, width, height },
    ]),
  );
  const end =
    runsOutAt === undefined
      ? []
      : [
          label(`runs out ${formatChartDay(runsOutAt, timezone)}`, CHART_COLORS.orange, true, (size) =>
            around(toPoint(runsOutAt, limit), size),
          ),
        ];
  const pace =
    limit > 0
      ? [label('even pace', CHART_COLORS.muted, false, (size) => along(toPoint(startsAt, 0), right, size))]
      : [];
  return [spent, ...end, budget, ...pace];
}

/** Every line that a label should not hide. */
function linesOf(scene: BurnChartLayout, { startsAt, resetsAt }: BurnChartData): readonly Point[] {
  const { total, now, limit, runsOutAt, spending, toPoint } = scene;
  const today = toPoint(now, total);
  const spent = [
    ...pointsAlongLine(spending.map(([at, credits]) => toPoint(at, credits))),
    ...pointsAlongLine([today, { x: today.x, y: 0 }]),
  ];
  if (limit === undefined) return spent;
  const forecast = runsOutAt === undefined ? [] : pointsAlongLine([today, toPoint(runsOutAt, limit)]);
  return [
    ...spent,
    ...forecast,
    ...pointsAlongLine([toPoint(startsAt, 0), toPoint(resetsAt, limit)]),
    ...pointsAlongLine([toPoint(startsAt, limit), toPoint(resetsAt, limit)]),
  ];
}

/** @throws RangeError when there is no such time zone. */
export function burnChartLabels(scene: BurnChartLayout, picture: BurnChartData, bounds: Box) {
  const lines = linesOf(scene, picture);
  const taken: Box[] = [];
  return labelsOf(scene, picture).flatMap(({ words, size, bold, colour, isNeeded, candidates }) => {
    const within = candidates.map((it) => clampBox(it, bounds));
    const place = chooseLabelPlacement(within, lines, taken);
    if (!place || (place.overlap > FEW && !isNeeded)) return [];
    const { box, overlap } = place;
    taken.push(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return [chartTextElement(words, x, y, { size, bold, colour, align: 'center', halo: overlap > 0 })];
  });
}
