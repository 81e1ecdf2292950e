/** A message as text, block by block, so that a snapshot can be read. */
import type { Message } from '../../../src/slack/routes.ts';

/** The words of a block, of a text object, or of none. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('text' in value)) return '';
  return typeof value.text === 'string' ? value.text : textOf(value.text);
}

function press(element: object): string {
  if ('options' in element && Array.isArray(element.options))
    return `[${element.options.map(textOf).join(' | ')}]`;
  return `[${textOf(element)}]`;
}

function linesOf(block: object): string[] {
  const lines: string[] = [];
  if ('text' in block) lines.push(textOf(block));
  if ('fields' in block && Array.isArray(block.fields)) lines.push(...block.fields.map(textOf));
  if ('elements' in block && Array.isArray(block.elements)) {
    const buttons = 'type' in block && block.type === 'actions';
    lines.push(...block.elements.map((each: object) => (buttons ? press(each) : textOf(each))));
  }
  if ('accessory' in block && typeof block.accessory === 'object' && block.accessory !== null)
    lines.push(press(block.accessory));
  return lines;
}

/** The ids of what can be pressed below a message, in its order. */
export function presses(message: Message): readonly string[] {
  return (message.blocks ?? []).flatMap((block) =>
    block.type === 'actions'
      ? block.elements.flatMap((each) => ('action_id' in each && each.action_id ? [each.action_id] : []))
      : [],
  );
}

/** The notification's text first, then every block under a line that names its kind. */
export function asText(message: Message): string {
  const blocks = (message.blocks ?? []).map((block) => [`-- ${block.type}`, ...linesOf(block)].join('\n'));
  return [`text: ${message.text}`, ...blocks, ''].join('\n');
}
