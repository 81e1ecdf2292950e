import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sectionBlocks } from '../../../src/slack/kit/block-builders.ts';
import { jsonValueCodec } from '../../../src/slack/kit/button-values.ts';
import { findMessageLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { andMoreText, cutPage, fitRows, pageButtons, pageText } from '../../../src/slack/kit/paged-list.ts';

describe('a paged list', () => {
  it('shows the page that is asked for, or else the last one', () => {
    const rows = ['a', 'b', 'c', 'd', 'e'];
    expect(cutPage(rows, 2, 2)).toEqual({ page: 2, pages: 3, rows: ['c', 'd'] });
    expect(cutPage(rows, 9, 2)).toEqual({ page: 3, pages: 3, rows: ['e'] });
    expect(cutPage([], 1, 2)).toEqual({ page: 1, pages: 1, rows: [] });
  });

  it('says where the page is, as far as known', () => {
    expect(pageText(2, 3)).toBe('page 2 of 3');
    expect(pageText(2, undefined)).toBe('page 2');
    expect(pageText(4, 3)).toBe('page 4');
    expect([andMoreText(1_200), andMoreText(0), andMoreText(-1)]).toEqual([
      '…and 1,200 more',
      undefined,
      undefined,
    ]);
  });

  it('has a button for each page that exists, with a value that names it', () => {
    const codec = jsonValueCodec(z.object({ page: z.number() }));
    const buttons = pageButtons(
      (page: number) => codec.write({ page }),
      { id: 'back', label: 'Previous', to: undefined },
      { id: 'next', label: 'Next', to: 2 },
    );
    expect(buttons.map(({ action_id: id, value = '' }) => [id, codec.read(value)])).toEqual([
      ['next', { page: 2 }],
    ]);
    for (const value of ['', '{', 'null', '{"page":"2"}', '[2]']) expect(codec.read(value)).toBeUndefined();
  });

  it('leaves out rows that Slack would not take', () => {
    const draw = (rows: number) => ({
      text: `${rows} rows`,
      blocks: [...sectionBlocks(Array.from({ length: rows }, () => 'x'.repeat(2_000)))],
    });
    const message = fitRows(20, draw);
    expect(message.text).toBe('6 rows');
    expect(findMessageLimitProblems(message)).toEqual([]);
  });
});
