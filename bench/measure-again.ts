/** Measures a row again when it misses its bar, as a busy machine can cause that, and notes it. */
import { holds, type Row } from './part.ts';
import { formatFigure } from './table.ts';

/** The rows, with the second figure where the first missed the bar. */
export function takeSecond(first: readonly Row[], second: readonly Row[]): readonly Row[] {
  return first.map((row) => {
    const again = second.find(({ what }) => what === row.what);
    if (holds(row) || !again) return row;
    const note = `Measured twice, the first time at ${formatFigure(row.measured, row.unit)}.`;
    return { ...again, note: again.note ? `${again.note} ${note}` : note };
  });
}
