/** Data tables for the page, which sorts and pages them. Pure. */
import { listOrEmpty, objectsInList, stringOrUndefined } from '../../slack/json-reading.ts';
import type { Block, JsonObject } from '../../slack/objects.ts';
import type { ShownBlock, ShownCell } from '../protocol.ts';
import { richTextHtml } from './markup.ts';
import { formatRichTextDates, unescapeEntities } from './mrkdwn.ts';
import { escapeHtml, type HtmlRenderContext } from './text-objects.ts';

/** Slack's own, if a table names none. */
const PAGE_SIZE = 5;

function textOf(html: string): string {
  return unescapeEntities(html.replaceAll(/<[^>]*>/gu, ''));
}

/** The time of a cell that is a date, so that the column sorts by it. */
function dateOf(value: unknown): number | undefined {
  for (const part of objectsInList(value)) {
    if (part['type'] === 'date' && typeof part['timestamp'] === 'number') return part['timestamp'];
    const inner = dateOf(part['elements']);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function showCell(cell: JsonObject, { reader, names }: HtmlRenderContext): ShownCell {
  if (cell['type'] === 'rich_text') {
    const { elements } = formatRichTextDates(cell, reader) as JsonObject;
    const html = richTextHtml(listOrEmpty(elements), names);
    return { html, sort: dateOf(cell['elements']) ?? textOf(html) };
  }
  const text = stringOrUndefined(cell['text']) ?? '';
  return { html: escapeHtml(text), sort: typeof cell['value'] === 'number' ? cell['value'] : text };
}

export function showDataTable(block: Block, paper: HtmlRenderContext): ShownBlock {
  const [head, ...rows] = listOrEmpty(block['rows']).map(objectsInList);
  return {
    kind: 'data-table',
    blockId: block.block_id,
    caption: stringOrUndefined(block['caption']) ?? '',
    pageSize: typeof block['page_size'] === 'number' ? block['page_size'] : PAGE_SIZE,
    columns: (head ?? []).map((cell) => stringOrUndefined(cell['text']) ?? ''),
    rows: rows.map((cells) => cells.map((cell) => showCell(cell, paper))),
  };
}
