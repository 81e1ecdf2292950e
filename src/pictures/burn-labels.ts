/** The labels of the chart of spending, each beside what it names. Pure. */
import type { BurnScene } from './burn-scene.ts';
import { COLOURS, LABEL, SMALL, text, widthOf } from './look.ts';
import type { BurnPicture } from './pictures.ts';
import { type Box, choosePlace, keepWithin, type Point, walk } from './place-labels.ts';
import { day, number } from './words.ts';

/** From a dot to the label of it. */
const GAP = 26;
/** So much of a line may be hidden by a label that could be left out: where it touches one, not where it lies along it. */
const FEW = 6;

interface Label {
  readonly words: string;
  readonly size: number;
  readonly bold: boolean;
  readonly colour: string;
  /** What the headings say as well is left out where there is no room for it. */
  readonly isNeeded: boolean;
  /** Where it may stand, the best first. */
  readonly candidates: readonly Box[];
}

function sizeOf(words: string, size: number, bold: boolean) {
  return { width: widthOf(words, { size, bold }), height: size * 1.2 };
}

/** Around a point: above or below it, to its left, to its right or centred. */
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

/** Beside a line that rises from one point to another. */
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

function labelsOf(scene: BurnScene, { timezone, startsAt, resetsAt }: BurnPicture): readonly Label[] {
  const { total, now, limit, runsOutAt, place } = scene;
  const label = (
    words: string,
    colour: string,
    bold: boolean,
    places: (size: Pick<Box, 'width' | 'height'>) => readonly Box[],
  ) => {
    const size = bold ? LABEL : SMALL;
    return {
      words,
      size,
      bold,
      colour,
      isNeeded: colour === COLOURS.blue,
      candidates: places(sizeOf(words, size, bold)),
    };
  };
  const spent = label(`${number(total)} spent`, COLOURS.blue, true, (size) =>
    around(place(now, total), size),
  );
  if (limit === undefined) return [spent];
  const [left, right] = [place(startsAt, limit), place(resetsAt, limit)];
  const budget = label(`budget ${number(limit)}`, COLOURS.ink, true, ({ width, height }) =>
    [left.x, right.x - width, (left.x + right.x - width) / 2].flatMap((x) => [
      { x, y: left.y - height - 8, width, height },
      { x, y: left.y + 8, width, height },
    ]),
  );
  const end =
    runsOutAt === undefined
      ? []
      : [
          label(`runs out ${day(runsOutAt, timezone)}`, COLOURS.orange, true, (size) =>
            around(place(runsOutAt, limit), size),
          ),
        ];
  const pace =
    limit > 0
      ? [label('even pace', COLOURS.muted, false, (size) => along(place(startsAt, 0), right, size))]
      : [];
  return [spent, ...end, budget, ...pace];
}

/** Every line that a label should not hide. */
function linesOf(scene: BurnScene, { startsAt, resetsAt }: BurnPicture): readonly Point[] {
  const { total, now, limit, runsOutAt, spending, place } = scene;
  const today = place(now, total);
  const spent = [
    ...walk(spending.map(([at, credits]) => place(at, credits))),
    ...walk([today, { x: today.x, y: 0 }]),
  ];
  if (limit === undefined) return spent;
  const forecast = runsOutAt === undefined ? [] : walk([today, place(runsOutAt, limit)]);
  return [
    ...spent,
    ...forecast,
    ...walk([place(startsAt, 0), place(resetsAt, limit)]),
    ...walk([place(startsAt, limit), place(resetsAt, limit)]),
  ];
}

/** @throws RangeError when there is no such time zone. */
export function labelBurn(scene: BurnScene, picture: BurnPicture, bounds: Box) {
  const lines = linesOf(scene, picture);
  const taken: Box[] = [];
  return labelsOf(scene, picture).flatMap(({ words, size, bold, colour, isNeeded, candidates }) => {
    const within = candidates.map((it) => keepWithin(it, bounds));
    const place = choosePlace(within, lines, taken);
    if (!place || (place.hidden > FEW && !isNeeded)) return [];
    const { box, hidden } = place;
    taken.push(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return [text(words, x, y, { size, bold, colour, align: 'center', halo: hidden > 0 })];
  });
}
