/** Tables as CSV (RFC 4180) that spreadsheets open without running anything in them. Pure. */

export type CsvCell = string | number | undefined;

/** What a spreadsheet takes for the start of a formula, also behind blanks, and in full width. */
const FORMULA = /^(?=[\s\p{Cf}]*[=+\-@|%＝＋－＠]|[\t\r\n])/u;
/** A program that takes another separator than the comma begins a cell there, inside quotes, too. */
const FORMULA_INSIDE = /(?=[=+\-@|%＝＋－＠])(?<=[,;:|\t\r\n][\s\p{Cf}"]*)/gu;
/** Control characters besides tab and line breaks. */
const UNPRINTABLE = /[\p{Cc}]/gu;

function csvCell(cell: CsvCell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const printable = cell.replace(UNPRINTABLE, (it) => ('\t\r\n'.includes(it) ? it : ' '));
  const text = printable.replace(FORMULA_INSIDE, "'").replace(FORMULA, "'");
  return `"${text.replaceAll('"', '""')}"`;
}

/** One line with its end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Without it, spreadsheets read UTF-8 as another encoding. */
export const CSV_START = '\uFEFF';
