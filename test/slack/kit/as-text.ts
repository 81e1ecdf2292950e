/** A message as text, block by block, for readable snapshots. */
import type { Message } from '../../../src/slack/core/routes.ts';
import { type ChartBlock, chartText } from '../../../src/slack/kit/chart-block.ts';

/** The text of a block or text object; empty for none. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('text' in value)) return '';
  return typeof value.text === 'string' ? value.text : textOf(value.text);
}

function press(element: object): string {
  if ('options' in element && Array.isArray(element.options))
    return `[${element.options.map(textOf).join(' | ')}]`;
  return `[${textOf(element)}]`;
}

/** The readable parts of a cell. */
function cellOf(cell: unknown): string {
  if (Array.isArray(cell)) return cell.map(cellOf).join('');
  if (typeof cell !== 'object' || cell === null) return '';
  if ('user_id' in cell) return `<@${String(cell.user_id)}>`;
  if ('channel_id' in cell) return `<#${String(cell.channel_id)}>`;
  if ('timestamp' in cell) return `<!date^${String(cell.timestamp)}>`;
  if ('url' in cell) return `<${String(cell.url)}|${textOf(cell)}>`;
  return 'elements' in cell ? cellOf(cell.elements) : textOf(cell);
}

function linesOf(block: object): string[] {
  const lines: string[] = [];
  if ('caption' in block) lines.push(String(block.caption));
  if ('rows' in block && Array.isArray(block.rows))
    lines.push(...block.rows.map((row: unknown[]) => row.map(cellOf).join(' | ')));
  if ('child_blocks' in block && Array.isArray(block.child_blocks) && 'title' in block)
    lines.push(textOf(block.title), ...block.child_blocks.flatMap(linesOf));
  if ('chart' in block) lines.push(chartText(block as ChartBlock));
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

/** The notification's text first, then every block under a line with its type. */
export function asText(message: Message): string {
  const blocks = (message.blocks ?? []).map((block) => [`-- ${block.type}`, ...linesOf(block)].join('\n'));
  return [`text: ${message.text}`, ...blocks, ''].join('\n');
}
