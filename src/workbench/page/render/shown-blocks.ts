/** Blocks for the page: static ones as HTML, interactive ones as data. Pure. */

import { isJsonObject, objectOrEmpty, objectsInList } from '../../slack/json-reading.ts';
import type { Block } from '../../slack/objects.ts';
import type { ShownBlock } from '../protocol.ts';
import { showDataTable } from './data-tables.ts';
import { buildShownElement, type PickableEntities } from './elements.ts';
import { sectionHtml, staticBlockHtml } from './static-blocks.ts';
import { type HtmlRenderContext, textObjectToPlainText } from './text-objects.ts';

function showBlock(block: Block, paper: HtmlRenderContext, choices: PickableEntities): ShownBlock {
  const blockId = block.block_id;
  const show = (element: unknown) => buildShownElement(objectOrEmpty(element), blockId, paper, choices);
  switch (block.type) {
    case 'section': {
      const accessory = isJsonObject(block['accessory']) ? { accessory: show(block['accessory']) } : {};
      return { kind: 'section', blockId, html: sectionHtml(block, paper), ...accessory };
    }
    case 'actions':
    case 'context_actions':
      return { kind: 'actions', blockId, elements: objectsInList(block['elements']).map(show) };
    case 'input':
      return {
        kind: 'input',
        blockId,
        label: textObjectToPlainText(block['label'], paper),
        ...(block['hint'] === undefined ? {} : { hint: textObjectToPlainText(block['hint'], paper) }),
        optional: block['optional'] === true,
        dispatches: block['dispatch_action'] === true,
        element: show(block['element']),
      };
    case 'data_table':
      return showDataTable(block, paper);
    case 'container':
      return {
        kind: 'container',
        blockId,
        title: textObjectToPlainText(block['title'], paper),
        canFold: block['is_collapsible'] === true,
        isFolded: block['default_collapsed'] === true,
        blocks: buildShownBlocks(objectsInList(block['child_blocks']) as readonly Block[], paper, choices),
      };
    default:
      return { kind: 'html', blockId, html: staticBlockHtml(block, paper) };
  }
}

export function buildShownBlocks(
  blocks: readonly Block[],
  paper: HtmlRenderContext,
  choices: PickableEntities,
): readonly ShownBlock[] {
  return blocks.map((block) => showBlock(block, paper, choices));
}
