/** Blocks in which nothing can be pressed, as HTML. Pure. */
import type { Block, Json } from '../../slack/objects.ts';
import { isObject, listOf, objectOf, objectsOf, textOf } from '../../slack/reading.ts';
import { drawMarkdown, drawRichText, drawTable } from './markup.ts';
import { readPlain, safeUrl, writeDates } from './mrkdwn.ts';
import { drawText, drawWords, escapeHtml, type Paper } from './texts.ts';

/**
 * An uploaded picture; of any other a link, since the page loads nothing from elsewhere.
 * @param image an image block or element
 */
export function drawImage(image: Json): string {
  const alt = escapeHtml(textOf(image['alt_text']) ?? '');
  const file = textOf(objectOf(image['slack_file'])['id']);
  if (file !== undefined) return `<img src="/files/${encodeURIComponent(file)}" alt="${alt}">`;
  const url = safeUrl(textOf(image['image_url']) ?? textOf(objectOf(image['slack_file'])['url']) ?? '');
  const words = `(image: ${alt})`;
  if (url === undefined) return words;
  return `<a class="link" href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${words}</a>`;
}

/** Text and fields of a section. */
export function drawSection(block: Json, paper: Paper): string {
  const text = block['text'] === undefined ? '' : drawText(block['text'], paper);
  const fields = objectsOf(block['fields']).map(
    (field) => `<div class="field">${drawText(field, paper)}</div>`,
  );
  return fields.length === 0 ? text : `${text}<div class="fields">${fields.join('')}</div>`;
}

function drawContext(block: Json, paper: Paper): string {
  const parts = objectsOf(block['elements']).map((each) =>
    each['type'] === 'image' ? drawImage(each) : `<div class="words">${drawWords(each, paper)}</div>`,
  );
  return `<div class="context">${parts.join('')}</div>`;
}

function drawFigure(block: Json, paper: Paper): string {
  const title = block['title'] === undefined ? '' : drawWords(block['title'], paper);
  const caption = title === '' ? '' : `<figcaption>${title}</figcaption>`;
  return `<figure>${caption}${drawImage(block)}</figure>`;
}

/** The library formats the raw texts of cells, and knows no numbers. */
function richCell(cell: Json, paper: Paper): unknown {
  if (cell['type'] === 'rich_text') return writeDates(cell, paper.reader);
  const words = textOf(cell['text']) ?? (typeof cell['value'] === 'number' ? String(cell['value']) : '');
  return { type: 'rich_text', elements: readPlain(words) };
}

function drawCells(block: Json, paper: Paper): string {
  const rows = listOf(block['rows']).map((row) => objectsOf(row).map((cell) => richCell(cell, paper)));
  return drawTable(rows, listOf(block['column_settings']), paper.names);
}

const KINDS: ReadonlyMap<string, (block: Json, paper: Paper) => string> = new Map<
  string,
  (block: Json, paper: Paper) => string
>([
  ['section', drawSection],
  ['header', (block, paper) => `<h3 class="header">${drawWords(block['text'], paper)}</h3>`],
  ['context', drawContext],
  ['divider', () => '<hr>'],
  ['image', drawFigure],
  [
    'rich_text',
    (block, { reader, names }) => {
      const whole = writeDates(block, reader);
      return drawRichText(isObject(whole) ? listOf(whole['elements']) : [], names);
    },
  ],
  ['table', drawCells],
  ['markdown', (block, { names }) => drawMarkdown(textOf(block['text']) ?? '', names)],
]);

/** Any block but `actions` and `input`; what the page can't show is named. */
export function drawBlock(block: Block, paper: Paper): string {
  const draw = KINDS.get(block.type);
  return draw ? draw(block, paper) : `<p>(${escapeHtml(block.type)})</p>`;
}
