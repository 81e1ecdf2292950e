/** A machine that does something else for a moment makes a row miss its bar: such a row is measured once more, and says so. */
import { holds, type Row } from './part.ts';
import { formatFigure } from './table.ts';

/** The rows, with the second figure where the first did not hold. */
export function takeSecond(first: readonly Row[], second: readonly Row[]): readonly Row[] {
  return first.map((row) => {
    const again = second.find(({ what }) => what === row.what);
    if (holds(row) || !again) return row;
    const note = `Measured twice, the first time at ${formatFigure(row.measured, row.unit)}.`;
    return { ...again, note: again.note ? `${again.note} ${note}` : note };
  });
}
