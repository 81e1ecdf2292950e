/** Lays out the spending chart: its contents and their pixel positions. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { BurnChartData } from './chart-renderer.ts';
import { CHART_MARGIN, CONTENT_RIGHT } from './chart-style.ts';
import { getCreditsSpentByNow } from './describe-chart.ts';
import type { Point } from './place-labels.ts';

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
export interface BurnChartLayout {
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
