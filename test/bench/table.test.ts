import { describe, expect, it } from 'vitest';
import { takeSecond } from '../../bench/measure-again.ts';
import type { Row } from '../../bench/part.ts';
import { parts } from '../../bench/part-list.ts';
import { formatFigure, formatTable } from '../../bench/table.ts';
import { formatPage, type Result } from '../../bench/table-page.ts';

const fast: Row = {
  what: 'Answers, p99',
  measured: 1.1,
  unit: 'x',
  baseline: 'a bare server, 2.1 ms',
  bar: { atMost: 1.25 },
};
const slow: Row = {
  ...fast,
  what: 'Memory',
  unit: 'MB',
  measured: 512.4,
  baseline: 'none',
  bar: { atMost: 400 },
};
const told: Row = { what: 'Size', measured: 20_000, unit: '', baseline: 'none', note: 'For its own sake.' };
const [part] = parts;
if (!part) throw new Error('there are no parts');

describe('a figure', () => {
  it.each([
    [1.2345, 'x', '1.23 x'],
    [20_000, '', '20,000'],
    [1_234.56, 'ms', '1,235 ms'],
    [99.5, '%', '99.50%'],
    [-0.0123, '', '-0.01'],
    [0.000123, 's', '0.0001 s'],
    [0, '', '0'],
    [Number.NaN, 'x', 'nothing'],
  ])('%d of %s reads %s', (figure, unit, words) => {
    expect(formatFigure(figure, unit)).toBe(words);
  });

  it('never reads like the bar that it misses', () => {
    expect(formatFigure(1.2504, 'x', 1.25)).toBe('1.2504 x');
    expect(formatFigure(1.25, 'x', 1.25)).toBe('1.25 x');
  });
});

describe('the table', () => {
  it('is aligned, with the bar, whether it holds, and the note below', () => {
    expect(`\n${formatTable([fast, slow, told])}\n`).toMatchInlineSnapshot(`
      "
      metric        measured  target          met  compared with
      ------------  --------  --------------  ---  ---------------------
      Answers, p99    1.10 x  at most 1.25 x  yes  a bare server, 2.1 ms
      Memory        512.4 MB  at most 400 MB  NO   none
      Size            20,000  none                 none
          For its own sake.
      "
    `);
  });

  it('holds no bar with a figure that is none', () => {
    expect(formatTable([{ ...fast, measured: Number.NaN }])).toContain('NO');
  });
});

describe('a row that was measured twice', () => {
  it('shows the second figure, and tells the first', () => {
    const [row] = takeSecond([slow], [{ ...slow, measured: 390, note: 'Resident.' }]);
    expect(row).toMatchObject({ measured: 390, note: expect.stringMatching(/^Resident\. .*512\.4 MB/u) });
    expect(row).toMatchSnapshot();
  });

  it('stays as it was when it held, or was not measured again', () => {
    expect(takeSecond([fast], [{ ...fast, measured: 9 }])).toEqual([fast]);
    expect(takeSecond([slow], [])).toEqual([slow]);
  });
});

describe('the page', () => {
  const page = (...results: Result[]) => formatPage(results, { day: '2026-01-05', machine: 'a machine' });

  it('says first what does not hold', () => {
    const text = page({ part, rows: [fast, slow, told] });
    const [first = ''] = text.split(`## ${part.title}`);
    expect(first).toMatch(/1 of 2 .*\n\n- Memory: 512\.4 MB.* 400 MB/u);
    expect(first).not.toContain('| Memory |');
    expect(text.match(/^\| Memory \| 512\.4 MB \| .*400 MB \| \*\*NO\*\* \| .*$/gmu)).toHaveLength(1);
    expect(text.match(/^\d of \d.*$|^- Memory.*$|^\| Memory.*$/gmu)).toMatchSnapshot();
  });

  it('says so when all holds', () => {
    const text = page({ part, rows: [fast, told] });
    expect(text).not.toContain('NO');
    expect(text.match(/^.*\(1 .*$/gmu)).toMatchSnapshot();
  });

  it('does not hide a part that failed', () => {
    const text = page({ part, rows: [], failed: 'Error: /secret/place\n    at stack' });
    expect(text.split('\n').find((line) => line.includes(part.title))).toMatchSnapshot();
    expect(text).not.toContain('secret');
  });

  it('keeps its columns whatever stands in a name', () => {
    const text = page({ part, rows: [{ ...told, what: 'a | b\nc' }] });
    expect(text).toContain('| a \\| b c | 20,000 | none |  | none |');
  });
});
