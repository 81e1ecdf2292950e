/** Blocks as lines of text. */
import type { Json } from '../objects.ts';
import { isObject, listOf, objectOf, objectsOf, textOf } from '../reading.ts';
import { plainWords, renderElement } from './elements.ts';
import { type NameOf, plainMrkdwn } from './mrkdwn.ts';
import { plainRichText } from './rich-text.ts';
import { clip, harmless, widthOf, wrap } from './wrap.ts';

export interface Paper {
  readonly width: number;
  readonly nameOf: NameOf;
}

type Lines = readonly string[];

function section(block: Json, paper: Paper): Lines {
  const lines: string[] = [];
  if (block['text'] !== undefined) lines.push(...wrap(plainWords(block['text'], paper.nameOf), paper.width));
  lines.push(...fields(block, paper));
  const { accessory } = block;
  if (isObject(accessory)) lines.push(...wrap(renderElement(accessory, paper.nameOf), paper.width));
  return lines;
}

/** Two columns, as Slack shows them. */
function fields(block: Json, paper: Paper): Lines {
  const cells = objectsOf(block['fields']).map((each) =>
    harmless(plainWords(each, paper.nameOf)).replaceAll('\n', ' '),
  );
  const half = Math.floor((paper.width - 2) / 2);
  const lines: string[] = [];
  for (let at = 0; at < cells.length; at += 2) {
    const [left = '', right = ''] = [cells[at], cells[at + 1]];
    if (widthOf(left) <= half && widthOf(right) <= half)
      lines.push(`${left}${' '.repeat(half - widthOf(left))}  ${right}`.trimEnd());
    else lines.push(...wrap(left, paper.width), ...(right === '' ? [] : wrap(right, paper.width)));
  }
  return lines;
}

function row(block: Json, paper: Paper, between: string): Lines {
  const line = objectsOf(block['elements']).map((each) => renderElement(each, paper.nameOf));
  return wrap(line.join(between), paper.width);
}

function table(block: Json, paper: Paper): Lines {
  const rows = listOf(block['rows']).map((cells) =>
    objectsOf(cells).map((cell) => {
      const words =
        cell['type'] === 'rich_text' ? plainRichText(cell, paper.nameOf) : (cell['text'] ?? cell['value']);
      return harmless(typeof words === 'number' ? String(words) : (textOf(words) ?? '')).replaceAll(
        '\n',
        ' ',
      );
    }),
  );
  const columns = Math.max(1, ...rows.map((cells) => cells.length));
  const most = Math.max(3, Math.floor((paper.width - 3 * (columns - 1)) / columns));
  const widths = Array.from({ length: columns }, (_none, column) =>
    Math.min(most, Math.max(...rows.map((cells) => widthOf(cells[column] ?? '')))),
  );
  return rows.map((cells) =>
    widths
      .map((width, column) => clip(cells[column] ?? '', width))
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join(' | ')
      .trimEnd(),
  );
}

function input(block: Json, paper: Paper): Lines {
  const label = plainWords(block['label'], paper.nameOf);
  const mark = block['optional'] === true ? ' (optional)' : '';
  const hint = plainWords(block['hint'], paper.nameOf);
  return [
    ...wrap(`${label}${mark}`, paper.width),
    ...wrap(renderElement(objectOf(block['element']), paper.nameOf), paper.width),
    ...(hint === '' ? [] : wrap(hint, paper.width, '  ')),
  ];
}

const KINDS: Readonly<Record<string, (block: Json, paper: Paper) => Lines>> = {
  header: (block, paper) => wrap(plainWords(block['text'], paper.nameOf), paper.width, '# '),
  section,
  divider: (_block, paper) => ['─'.repeat(paper.width)],
  // What stands apart on a screen would run together in a line.
  context: (block, paper) => row(block, paper, ' · '),
  actions: (block, paper) => row(block, paper, ' '),
  context_actions: (block, paper) => row(block, paper, ' '),
  image: (block, paper) => {
    const title = plainWords(block['title'], paper.nameOf);
    const alt = `(image: ${textOf(block['alt_text']) ?? ''})`;
    return wrap(title === '' ? alt : `${title}\n${alt}`, paper.width);
  },
  rich_text: (block, paper) => wrap(plainRichText(block, paper.nameOf), paper.width),
  markdown: (block, paper) => wrap(textOf(block['text']) ?? '', paper.width),
  table,
  input,
};

export function renderBlock(block: Json, paper: Paper): Lines {
  const type = textOf(block['type']) ?? '';
  return KINDS[type]?.(block, paper) ?? [`(${type})`];
}

/** A message's own text, or what stands in its place. */
export function renderPlain(text: string, paper: Paper): Lines {
  return text === '' ? [] : wrap(plainMrkdwn(text, paper.nameOf), paper.width);
}
