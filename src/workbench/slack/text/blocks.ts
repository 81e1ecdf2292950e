/** Blocks as lines of text. */

import {
  isJsonObject,
  listOrEmpty,
  objectOrEmpty,
  objectsInList,
  stringOrUndefined,
} from '../json-reading.ts';
import type { JsonObject } from '../objects.ts';
import { renderElementText, renderTextObject } from './elements.ts';
import { mrkdwnToPlainText, type NameResolver } from './mrkdwn.ts';
import { richTextToPlainText } from './rich-text.ts';
import { displayWidth, replaceControlCharacters, truncateText, wrapText } from './wrap.ts';

export interface TextRenderContext {
  readonly width: number;
  readonly nameOf: NameResolver;
}

type Lines = readonly string[];

function section(block: JsonObject, paper: TextRenderContext): Lines {
  const lines: string[] = [];
  if (block['text'] !== undefined)
    lines.push(...wrapText(renderTextObject(block['text'], paper.nameOf), paper.width));
  lines.push(...fields(block, paper));
  const { accessory } = block;
  if (isJsonObject(accessory))
    lines.push(...wrapText(renderElementText(accessory, paper.nameOf), paper.width));
  return lines;
}

/** Two columns, as Slack shows them. */
function fields(block: JsonObject, paper: TextRenderContext): Lines {
  const cells = objectsInList(block['fields']).map((each) =>
    replaceControlCharacters(renderTextObject(each, paper.nameOf)).replaceAll('\n', ' '),
  );
  const half = Math.floor((paper.width - 2) / 2);
  const lines: string[] = [];
  for (let at = 0; at < cells.length; at += 2) {
    const [left = '', right = ''] = [cells[at], cells[at + 1]];
    if (displayWidth(left) <= half && displayWidth(right) <= half)
      lines.push(`${left}${' '.repeat(half - displayWidth(left))}  ${right}`.trimEnd());
    else lines.push(...wrapText(left, paper.width), ...(right === '' ? [] : wrapText(right, paper.width)));
  }
  return lines;
}

function row(block: JsonObject, paper: TextRenderContext, between: string): Lines {
  const line = objectsInList(block['elements']).map((each) => renderElementText(each, paper.nameOf));
  return wrapText(line.join(between), paper.width);
}

function table(block: JsonObject, paper: TextRenderContext): Lines {
  const rows = listOrEmpty(block['rows']).map((cells) =>
    objectsInList(cells).map((cell) => {
      const words =
        cell['type'] === 'rich_text'
          ? richTextToPlainText(cell, paper.nameOf)
          : (cell['text'] ?? cell['value']);
      return replaceControlCharacters(
        typeof words === 'number' ? String(words) : (stringOrUndefined(words) ?? ''),
      ).replaceAll('\n', ' ');
    }),
  );
  const columns = Math.max(1, ...rows.map((cells) => cells.length));
  const most = Math.max(3, Math.floor((paper.width - 3 * (columns - 1)) / columns));
  const widths = Array.from({ length: columns }, (_none, column) =>
    Math.min(most, Math.max(...rows.map((cells) => displayWidth(cells[column] ?? '')))),
  );
  return rows.map((cells) =>
    widths
      .map((width, column) => truncateText(cells[column] ?? '', width))
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)))
      .join(' | ')
      .trimEnd(),
  );
}

function input(block: JsonObject, paper: TextRenderContext): Lines {
  const label = renderTextObject(block['label'], paper.nameOf);
  const mark = block['optional'] === true ? ' (optional)' : '';
  const hint = renderTextObject(block['hint'], paper.nameOf);
  return [
    ...wrapText(`${label}${mark}`, paper.width),
    ...wrapText(renderElementText(objectOrEmpty(block['element']), paper.nameOf), paper.width),
    ...(hint === '' ? [] : wrapText(hint, paper.width, '  ')),
  ];
}

const KINDS: Readonly<Record<string, (block: JsonObject, paper: TextRenderContext) => Lines>> = {
  header: (block, paper) => wrapText(renderTextObject(block['text'], paper.nameOf), paper.width, '# '),
  section,
  divider: (_block, paper) => ['─'.repeat(paper.width)],
  // Adds separators: elements that are apart in Slack would run together in a line.
  context: (block, paper) => row(block, paper, ' · '),
  actions: (block, paper) => row(block, paper, ' '),
  context_actions: (block, paper) => row(block, paper, ' '),
  image: (block, paper) => {
    const title = renderTextObject(block['title'], paper.nameOf);
    const alt = `(image: ${stringOrUndefined(block['alt_text']) ?? ''})`;
    return wrapText(title === '' ? alt : `${title}\n${alt}`, paper.width);
  },
  rich_text: (block, paper) => wrapText(richTextToPlainText(block, paper.nameOf), paper.width),
  markdown: (block, paper) => wrapText(stringOrUndefined(block['text']) ?? '', paper.width),
  table,
  data_table: (block, paper) => [
    ...wrapText(stringOrUndefined(block['caption']) ?? '', paper.width),
    ...table(block, paper),
  ],
  data_visualization: (block, paper) => [
    ...wrapText(stringOrUndefined(block['title']) ?? '', paper.width),
    ...objectsInList(objectOrEmpty(block['chart'])['series']).flatMap(({ name, data }) => {
      const points = objectsInList(data).map(({ label, value }) => `${String(label)} ${String(value)}`);
      return wrapText(`${String(name)}: ${points.join(', ')}`, paper.width);
    }),
  ],
  alert: (block, paper) => wrapText(`! ${renderTextObject(block['text'], paper.nameOf)}`, paper.width),
  container: (block, paper) => [
    ...wrapText(`▸ ${renderTextObject(block['title'], paper.nameOf)}`, paper.width),
    ...objectsInList(block['child_blocks']).flatMap((child) => renderBlockLines(child, paper)),
  ],
  input,
};

export function renderBlockLines(block: JsonObject, paper: TextRenderContext): Lines {
  const type = stringOrUndefined(block['type']) ?? '';
  return KINDS[type]?.(block, paper) ?? [`(${type})`];
}

/** A message's own text, or its fallback text. */
export function renderPlainLines(text: string, paper: TextRenderContext): Lines {
  return text === '' ? [] : wrapText(mrkdwnToPlainText(text, paper.nameOf), paper.width);
}
