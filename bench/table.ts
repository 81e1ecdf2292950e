/** The rows as one aligned text table. */
import { holds, type Row } from './part.ts';

const HEAD = ['metric', 'measured', 'target', 'met', 'compared with'] as const;

/** "1.18 x", "12.4 ms", "50,000". Takes enough digits to look different from `apart`. */
export function formatFigure(figure: number, unit: string, apart?: number): string {
  if (!Number.isFinite(figure)) return 'nothing';
  const size = Math.abs(figure);
  let digits = Number.isInteger(figure) || size >= 1_000 ? 0 : size >= 100 ? 1 : 2;
  while (digits < 6 && figure !== apart && Number(figure.toFixed(digits)) === apart) digits++;
  // "0.00" would say nothing of a tiny fraction.
  const shown = figure !== 0 && Number(figure.toFixed(digits)) === 0 ? digits + 2 : digits;
  const text = figure.toLocaleString('en', { minimumFractionDigits: shown, maximumFractionDigits: shown });
  return unit === '' ? text : unit === '%' ? `${text}%` : `${text} ${unit}`;
}

function limitOf(bar: NonNullable<Row['bar']>): number {
  return 'atMost' in bar ? bar.atMost : bar.atLeast;
}

/** The cells of a row, in the order of `HEAD`. */
export function cellsOf(row: Row): readonly [string, string, string, string, string] {
  const { what, measured, unit, bar, baseline } = row;
  if (!bar) return [what, formatFigure(measured, unit), 'none', '', baseline];
  const limit = limitOf(bar);
  const words = `${'atMost' in bar ? 'at most' : 'at least'} ${formatFigure(limit, unit)}`;
  return [what, formatFigure(measured, unit, limit), words, holds(row) ? 'yes' : 'NO', baseline];
}

/** One aligned line per row, with its note below. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, at) => Math.max(...lines.map((cells) => (cells[at] ?? '').length)));
  const aligned = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 1 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  const body = rows.flatMap((row) => [aligned(cellsOf(row)), ...(row.note ? [`    ${row.note}`] : [])]);
  return [aligned(HEAD), rule, ...body].join('\n');
}
