/** CSV with hostile content: it comes back as it was, and no spreadsheet runs it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvCell, csvLine } from '../../../src/slack/audit/audit-export.ts';

/** A reader of RFC 4180, written from the specification. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let read = 0;
  for (const [whole, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy)) {
    read += whole.length;
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  expect(read).toBe(text.length);
  return rows;
}

const HOSTILE = [
  '=cmd|/C calc!A0',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '  =HYPERLINK("http://x","y")',
  '\u0000=1',
  '\u200B=1',
  '＝1+1',
  '%0A',
  '|calc',
];

/** Where some program begins a cell. */
const SEPARATORS = /[,;:|\t\r\n]/u;
const FORMULA = /^[\s"]*[=+\-@]/u;

describe('a cell', () => {
  it.each(HOSTILE)('%j is no formula', (text) => {
    const cell = readCsv(csvLine([text]))
      .flat()
      .join();
    expect(cell.startsWith("'")).toBe(true);
  });

  it.each([',', ';', ':', '|', '\t', '\r\n', '; ', ';"'])('has no formula behind %j', (separator) => {
    const [cell = ''] = readCsv(csvLine([`Shop${separator}=1+1${separator}@SUM(A1)`])).flat();
    expect(cell.replaceAll("'", '')).toBe(`Shop${separator}=1+1${separator}@SUM(A1)`);
    for (const piece of cell.split(SEPARATORS)) expect(piece).not.toMatch(FORMULA);
  });

  it('comes back as it was, except for apostrophes and control characters', () => {
    const cells = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...HOSTILE, '"', '","', '\r\n', ';=1', 'a,b'),
        fc.nat(),
        fc.constant(undefined),
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 4 }), (rows: CsvCell[][]) => {
        const read = readCsv(rows.map(csvLine).join(''));
        const plain = (cell: CsvCell) =>
          String(cell ?? '').replace(/\p{Cc}/gu, (it) => ('\t\r\n'.includes(it) ? it : ' '));
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        const bare = (text: string) => text.replaceAll("'", '');
        expect(read.map((row) => row.map(bare))).toEqual(rows.map((row) => row.map(plain).map(bare)));
        for (const piece of read.flat().flatMap((cell) => cell.split(SEPARATORS)))
          expect(piece).not.toMatch(FORMULA);
      }),
    );
  });
});
