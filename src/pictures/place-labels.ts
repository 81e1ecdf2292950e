/** Finds the label position that hides the least. Pure. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** In pixels, from its upper left corner. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** Pixels between two sampled points of a line. */
const STEP = 6;
const ROOM = 8;
/** Covering another label is worse than covering any line. */
const OVERLAP = 10_000;

function isInside({ x, y }: Point, box: Box): boolean {
  return (
    x > box.x - ROOM && x < box.x + box.width + ROOM && y > box.y - ROOM && y < box.y + box.height + ROOM
  );
}

function doOverlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width + ROOM &&
    other.x < one.x + one.width + ROOM &&
    one.y < other.y + other.height + ROOM &&
    other.y < one.y + one.height + ROOM
  );
}

/** Points along a line through these corners, dense enough that no box fits between them. */
export function pointsAlongLine(corners: readonly Point[]): readonly Point[] {
  return corners.flatMap((to, at) => {
    const from = corners[at - 1] ?? to;
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STEP));
    return Array.from({ length: steps }, (_, step) => ({
      x: from.x + ((to.x - from.x) * (step + 1)) / steps,
      y: from.y + ((to.y - from.y) * (step + 1)) / steps,
    }));
  });
}

/** Moves the box as little as needed to fit inside another. */
export function clampBox(box: Box, bounds: Box): Box {
  return {
    ...box,
    x: Math.max(bounds.x, Math.min(box.x, bounds.x + bounds.width - box.width)),
    y: Math.max(bounds.y, Math.min(box.y, bounds.y + bounds.height - box.height)),
  };
}

export interface LabelPlacement {
  readonly box: Box;
  /** How much of the lines and labels it covers; 0: none. */
  readonly overlap: number;
}

/**
 * The candidate that hides the least of lines and labels. The first one wins a tie, so order them by
 * preference.
 */
export function chooseLabelPlacement(
  candidates: readonly Box[],
  lines: readonly Point[],
  labels: readonly Box[],
): LabelPlacement | undefined {
  const places = candidates.map((box) => ({
    box,
    overlap:
      lines.filter((point) => isInside(point, box)).length +
      OVERLAP * labels.filter((label) => doOverlap(box, label)).length,
  }));
  return places.toSorted((a, b) => a.overlap - b.overlap)[0];
}
