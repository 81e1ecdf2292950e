/** The forms of a message or view in workspaces that refuse newer blocks, and what they may not lose. */

import {
  chartText,
  listReplaceableBlocks,
  type MessageBlock,
  REPLACEABLE_BLOCKS,
  type ReplaceableBlock,
} from '../../src/slack/kit/chart-block.ts';
import { escapeMrkdwn } from '../../src/slack/kit/mrkdwn.ts';
import { toPlainBlocks } from '../../src/slack/kit/plain-blocks.ts';

export interface PlainForm {
  readonly refused: readonly ReplaceableBlock[];
  readonly blocks: readonly MessageBlock[];
}

/** One form for each newer block that the blocks use, as if Slack refused it, and one for all of them. */
export function listPlainForms(blocks: readonly MessageBlock[]): readonly PlainForm[] {
  const used = [...listReplaceableBlocks(blocks)];
  if (used.length === 0) return [];
  const each = [...used.map((type) => [type]), REPLACEABLE_BLOCKS];
  return each.map((refused) => ({ refused, blocks: toPlainBlocks(blocks, new Set(refused)) }));
}

function valuesAt(value: unknown, key: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name === key && typeof field === 'string' ? [field] : valuesAt(field, key),
  );
}

/** Long cells may be shortened, but never beyond this. */
const SURE_OF_A_CELL = 10;

/** What the rows of a table begin with; the cells that are links or dates have no fixed form. */
function rowHeads(blocks: readonly MessageBlock[]): string[] {
  return blocks.flatMap((block) =>
    block.type === 'data_table'
      ? block.rows.slice(1).flatMap(([head]) => (head?.type === 'raw_text' ? [head.text] : []))
      : [],
  );
}

/** Texts, buttons and rows of the blocks that their plain form lacks. */
export function findLostParts(
  blocks: readonly MessageBlock[],
  plain: readonly MessageBlock[],
): readonly string[] {
  const others = blocks.filter(({ type }) => type !== 'data_table');
  const shown = valuesAt(plain, 'text').join('\n');
  const has = (text: string) => shown.includes(text) || shown.includes(escapeMrkdwn(text));
  const actions = new Set(valuesAt(plain, 'action_id'));
  const saysMore = /…and [\d,]+ more/u.test(shown);
  return [
    ...valuesAt(others, 'text').filter((text) => !has(text)),
    ...valuesAt(blocks, 'action_id').filter((id) => !actions.has(id)),
    ...blocks
      .flatMap((block) => (block.type === 'data_visualization' ? [chartText(block)] : []))
      .filter((text) => !has(text)),
    ...(saysMore ? [] : rowHeads(blocks).filter((head) => !has(head.slice(0, SURE_OF_A_CELL).trim()))),
  ];
}
