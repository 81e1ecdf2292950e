import { describe, expect, it } from 'vitest';
import { findFileProblem } from '../../../src/workbench/page/client/file-bounds.ts';

const MEBIBYTE = 1024 * 1024;
const bounds = { most: 2, bytes: 4 * MEBIBYTE, endings: ['csv', 'PDF'] };
const file = (name: string, size = 10) => ({ name, size });

describe('a field for files', () => {
  it('takes as many as it wants, of the kinds that it wants', () => {
    expect(findFileProblem(file('a.csv'), 1, bounds)).toBeUndefined();
    expect(findFileProblem(file('A.Pdf'), 0, bounds)).toBeUndefined();
    expect(findFileProblem(file('anything'), 0, { ...bounds, endings: [] })).toBeUndefined();
  });

  it('says why it takes no more, or not this one', () => {
    const refusals = [
      findFileProblem(file('a.csv'), 2, bounds),
      findFileProblem(file('a.csv'), 1, { ...bounds, most: 1 }),
      findFileProblem(file('csv'), 0, bounds),
      findFileProblem(file('a.csv', 0), 0, bounds),
      findFileProblem(file('a.csv', 4 * MEBIBYTE + 1), 0, bounds),
    ];
    const facts = [/ 2 /u, / 1 /u, /“csv”.*csv, PDF/u, /“a\.csv”/u, / 4 MB/u];
    expect(refusals).toEqual(facts.map((fact) => expect.stringMatching(fact)));
  });
});
