/** Tables as CSV (RFC 4180) that spreadsheets open without running anything in them. Pure. */

export type CsvCell = string | number | undefined;

/** What a spreadsheet takes for the start of a formula, also behind blanks, and in full width. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@|%＝＋－＠]|^[\t\r\n]/u;
/** Control characters besides tab and line breaks. */
const UNPRINTABLE = /[\p{Cc}]/gu;

/** Every text is quoted, so that no program takes another separator in it for one. */
function csvCell(cell: CsvCell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const printable = cell.replace(UNPRINTABLE, (it) => ('\t\r\n'.includes(it) ? it : ' '));
  const text = FORMULA.test(printable) ? `'${printable}` : printable;
  return `"${text.replaceAll('"', '""')}"`;
}

/** One line with its end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Without it, spreadsheets read UTF-8 as another encoding. */
export const CSV_START = '\uFEFF';
