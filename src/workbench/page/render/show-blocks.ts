/** Blocks as the page shows them: what stands still as HTML, what can be pressed or filled in as data. Pure. */
import type { Block } from '../../slack/objects.ts';
import { isObject, objectOf, objectsOf } from '../../slack/reading.ts';
import type { ShownBlock } from '../protocol.ts';
import { type Choices, showElement } from './elements.ts';
import { drawBlock, drawSection } from './static-blocks.ts';
import { type Paper, wordsOf } from './texts.ts';

function showBlock(block: Block, paper: Paper, choices: Choices): ShownBlock {
  const blockId = block.block_id;
  const show = (element: unknown) => showElement(objectOf(element), blockId, paper, choices);
  switch (block.type) {
    case 'section': {
      const accessory = isObject(block['accessory']) ? { accessory: show(block['accessory']) } : {};
      return { kind: 'section', blockId, html: drawSection(block, paper), ...accessory };
    }
    case 'actions':
    case 'context_actions':
      return { kind: 'actions', blockId, elements: objectsOf(block['elements']).map(show) };
    case 'input':
      return {
        kind: 'input',
        blockId,
        label: wordsOf(block['label'], paper),
        ...(block['hint'] === undefined ? {} : { hint: wordsOf(block['hint'], paper) }),
        optional: block['optional'] === true,
        dispatches: block['dispatch_action'] === true,
        element: show(block['element']),
      };
    default:
      return { kind: 'html', blockId, html: drawBlock(block, paper) };
  }
}

export function showBlocks(blocks: readonly Block[], paper: Paper, choices: Choices): readonly ShownBlock[] {
  return blocks.map((block) => showBlock(block, paper, choices));
}
