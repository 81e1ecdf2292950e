/** Messages and elements as the page's server sends them. */
import type { ShownBlock, ShownElement, ShownMessage } from '../../../src/workbench/page/protocol.ts';

export function aMessage(count: number, changes: Partial<ShownMessage> = {}): ShownMessage {
  return {
    channel: 'C1',
    ts: `1795000000.${String(count).padStart(6, '0')}`,
    at: 0,
    author: 'gigdesk',
    byBot: true,
    edited: false,
    onlyMe: false,
    replies: 0,
    html: '<p>Hello</p>',
    blocks: [],
    unfurls: [],
    files: [],
    ...changes,
  };
}

export function anElement(changes: Partial<ShownElement> = {}): ShownElement {
  return { type: 'text', actionId: 'value', blockId: 'name', label: '', ...changes };
}

export function anInput(blockId: string, changes: Partial<ShownElement> = {}): ShownBlock {
  const element = anElement({ blockId, ...changes });
  return { kind: 'input', blockId, label: 'Name', optional: false, dispatches: false, element };
}
