/** The labels of the spending chart, each next to what it names. Pure. */
import type { BurnChartLayout } from './burn-chart-layout.ts';
import type { BurnChartData } from './chart-renderer.ts';
import {
  CHART_COLORS,
  chartTextElement,
  estimateTextWidth,
  LABEL_FONT_SIZE,
  SMALL_FONT_SIZE,
} from './chart-style.ts';
import { formatChartDay, formatChartNumber } from './format-chart-values.ts';
import { type Box, chooseLabelPlacement, clampBox, type Point, pointsAlongLine } from './place-labels.ts';

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
