/** Static blocks as HTML. Pure. */

import {
  isJsonObject,
  listOrEmpty,
  objectOrEmpty,
  objectsInList,
  stringOrUndefined,
} from '../../slack/json-reading.ts';
import type { Block, JsonObject } from '../../slack/objects.ts';
import { chartHtml } from './charts.ts';
import { markdownHtml, richTextHtml, tableHtml } from './markup.ts';
import { formatRichTextDates, parsePlainText, safeLinkUrl } from './mrkdwn.ts';
import { escapeHtml, type HtmlRenderContext, inlineTextHtml, textObjectHtml } from './text-objects.ts';

/**
 * An uploaded image; a link for any other, since the page loads nothing from other sites.
 * @param image an image block or element
 */
export function imageHtml(image: JsonObject): string {
  const alt = escapeHtml(stringOrUndefined(image['alt_text']) ?? '');
  const file = stringOrUndefined(objectOrEmpty(image['slack_file'])['id']);
  if (file !== undefined) return `<img src="/files/${encodeURIComponent(file)}" alt="${alt}">`;
  const url = safeLinkUrl(
    stringOrUndefined(image['image_url']) ??
      stringOrUndefined(objectOrEmpty(image['slack_file'])['url']) ??
      '',
  );
  const words = `(image: ${alt})`;
  if (url === undefined) return words;
  return `<a class="link" href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${words}</a>`;
}

export function sectionHtml(block: JsonObject, paper: HtmlRenderContext): string {
  const text = block['text'] === undefined ? '' : textObjectHtml(block['text'], paper);
  const fields = objectsInList(block['fields']).map(
    (field) => `<div class="field">${textObjectHtml(field, paper)}</div>`,
  );
  return fields.length === 0 ? text : `${text}<div class="fields">${fields.join('')}</div>`;
}

function drawContext(block: JsonObject, paper: HtmlRenderContext): string {
  const parts = objectsInList(block['elements']).map((each) =>
    each['type'] === 'image' ? imageHtml(each) : `<div class="words">${inlineTextHtml(each, paper)}</div>`,
  );
  return `<div class="context">${parts.join('')}</div>`;
}

const ALERT_LEVELS = ['info', 'warning', 'error', 'success'];

function drawAlert(block: JsonObject, paper: HtmlRenderContext): string {
  const level = ALERT_LEVELS.find((each) => each === block['level']) ?? 'default';
  return `<div class="alert alert-${level}" role="note">${inlineTextHtml(block['text'], paper)}</div>`;
}

function drawFigure(block: JsonObject, paper: HtmlRenderContext): string {
  const title = block['title'] === undefined ? '' : inlineTextHtml(block['title'], paper);
  const caption = title === '' ? '' : `<figcaption>${title}</figcaption>`;
  return `<figure>${caption}${imageHtml(block)}</figure>`;
}

/** A table cell as rich text: the library formats raw text cells and doesn't support number cells. */
function richCell(cell: JsonObject, paper: HtmlRenderContext): unknown {
  if (cell['type'] === 'rich_text') return formatRichTextDates(cell, paper.reader);
  const words =
    stringOrUndefined(cell['text']) ?? (typeof cell['value'] === 'number' ? String(cell['value']) : '');
  return { type: 'rich_text', elements: parsePlainText(words) };
}

function drawCells(block: JsonObject, paper: HtmlRenderContext): string {
  const rows = listOrEmpty(block['rows']).map((row) =>
    objectsInList(row).map((cell) => richCell(cell, paper)),
  );
  return tableHtml(rows, listOrEmpty(block['column_settings']), paper.names);
}

const KINDS: ReadonlyMap<string, (block: JsonObject, paper: HtmlRenderContext) => string> = new Map<
  string,
  (block: JsonObject, paper: HtmlRenderContext) => string
>([
  ['section', sectionHtml],
  ['header', (block, paper) => `<h3 class="header">${inlineTextHtml(block['text'], paper)}</h3>`],
  ['context', drawContext],
  ['divider', () => '<hr>'],
  ['alert', drawAlert],
  ['image', drawFigure],
  ['data_visualization', chartHtml],
  [
    'rich_text',
    (block, { reader, names }) => {
      const whole = formatRichTextDates(block, reader);
      return richTextHtml(isJsonObject(whole) ? listOrEmpty(whole['elements']) : [], names);
    },
  ],
  ['table', drawCells],
  ['markdown', (block, { names }) => markdownHtml(stringOrUndefined(block['text']) ?? '', names)],
]);

/** Any block except `actions` and `input`; a block that the page can't show becomes its name. */
export function staticBlockHtml(block: Block, paper: HtmlRenderContext): string {
  const draw = KINDS.get(block.type);
  return draw ? draw(block, paper) : `<p>(${escapeHtml(block.type)})</p>`;
}
