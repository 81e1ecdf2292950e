/** The rules themselves: each notices what it is for. */
import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { actionsBlock, buttonElement, sectionBlock } from '../../src/slack/kit/block-builders.ts';
import { dataTableBlock, foldedBlock, numberCell, textCell } from '../../src/slack/kit/rich-blocks.ts';
import { findLostParts, listPlainForms } from './plain-forms.ts';
import { countLinesBeforeFold, findFixedIds, findUpdateRubricProblems } from './rubric.ts';

const open = actionsBlock([buttonElement({ id: 'open', label: 'Open', value: '1' })]);
const table = dataTableBlock({
  caption: 'Setups',
  columns: ['Name', 'Sent'],
  rows: [
    [textCell('Node <team>'), numberCell(3)],
    [textCell('React'), numberCell(4)],
  ],
});
const blocks: KnownBlock[] = [
  sectionBlock('Setups'),
  table,
  foldedBlock('Details', [sectionBlock('inside'), open]),
];

describe('a block that changes by an update', () => {
  it('needs a new id in a message: ours have none, so Slack makes one', () => {
    expect(findFixedIds([sectionBlock('Now'), open])).toEqual([]);
    expect(findFixedIds([sectionBlock('Now'), { ...open, block_id: 'fixed' }])).toEqual(['fixed']);
  });

  it('needs a new id in a view, if people press it', () => {
    const before = [{ ...sectionBlock('1 of 2'), block_id: 'count:1' }];
    expect(findUpdateRubricProblems(before, before)).toEqual([]);
    expect(findUpdateRubricProblems(before, [{ ...sectionBlock('2 of 2'), block_id: 'count:2' }])).toEqual(
      [],
    );
    expect(
      findUpdateRubricProblems(before, [{ ...sectionBlock('2 of 2'), block_id: 'count:1' }]),
    ).toHaveLength(1);
  });
});

it('counts the lines of a message up to what is folded or pressed', () => {
  const ten = Array.from({ length: 10 }, (_, n) => `line ${n}`).join('\n');
  expect(countLinesBeforeFold([sectionBlock(ten), open, sectionBlock(ten)])).toBe(10);
  expect(countLinesBeforeFold([sectionBlock(ten), sectionBlock('more')])).toBe(11);
});

describe('a plain form', () => {
  it('exists for each newer block alone and for all of them, and loses nothing', () => {
    const forms = listPlainForms(blocks);
    expect(forms.map(({ refused }) => refused)).toMatchObject([['data_table'], ['container'], {}]);
    for (const form of forms) expect(findLostParts(blocks, form.blocks)).toEqual([]);
  });

  it('that lacks a text, a button or a row is noticed', () => {
    expect(findLostParts(blocks, [sectionBlock('Setups'), open])).toEqual([
      'Details',
      'inside',
      'Node <team>',
      'React',
    ]);
    expect(findLostParts([open], [sectionBlock('Open')])).toEqual(['open']);
  });
});
