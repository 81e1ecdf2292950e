/**
 * The plain form of the newer blocks, for workspaces whose Slack refuses them. A table becomes lines of
 * text, an alert a section, a folded section its title and content, a chart its numbers in words. Pure.
 */
import type { AlertBlock, DataTableBlock, KnownBlock, RichTextBlock } from '@slack/types';
import { ChannelId, UserId } from '../../ids.ts';
import { contextBlock, joinFacts, sectionBlock, sectionBlocks } from './block-builders.ts';
import { chartText, type MessageBlock, type ReplaceableBlock } from './chart-block.ts';
import { slackLimits } from './limits.ts';
import {
  channelLink,
  clipText,
  codeText,
  escapeMrkdwn,
  formatDate,
  formatLink,
  formatMention,
} from './mrkdwn.ts';
import { andMoreText } from './paged-list.ts';
import { ALERT_SIGNS, type TableCell } from './rich-blocks.ts';

type RichPart = RichTextBlock['elements'][number];

function inlineText(part: Extract<RichPart, { type: 'rich_text_section' }>['elements'][number]): string {
  if (part.type === 'text') return part.style?.code ? codeText(part.text) : escapeMrkdwn(part.text);
  if (part.type === 'link') return formatLink(part.url, part.text ?? part.url);
  if (part.type === 'user') return formatMention(UserId.parse(part.user_id));
  if (part.type === 'channel') return channelLink(ChannelId.parse(part.channel_id));
  return part.type === 'date' ? formatDate(part.timestamp * 1_000) : '';
}

function cellText(cell: TableCell): string {
  if (cell.type !== 'rich_text') return escapeMrkdwn(cell.text ?? '');
  return cell.elements
    .flatMap((part) => (part.type === 'rich_text_section' ? part.elements.map(inlineText) : []))
    .join('');
}

/** `*Node* · Status: active · Sent today: 3` */
function rowText(columns: readonly string[], row: readonly TableCell[]): string {
  const [head, ...rest] = row.map(cellText);
  return joinFacts(`*${head ?? ''}*`, ...rest.map((text, index) => `${columns[index + 1] ?? ''}: ${text}`));
}

/** Room for the rest of a message below `allTextOfMessage`. */
const SPARE = 500;

/** Longer cells are shortened step by step before any row is left out. */
const CELL_LENGTHS = [Number.POSITIVE_INFINITY, 100, 50, 25];

/** Links, people and dates stay whole. */
function shortenCell(cell: TableCell, max: number): TableCell {
  return cell.type === 'rich_text' || cell.text === undefined
    ? cell
    : { ...cell, text: clipText(cell.text, max) };
}

function rowTexts([head, ...rows]: DataTableBlock['rows'], room: number): readonly string[] {
  const columns = (head ?? []).map(cellText);
  let texts: readonly string[] = [];
  for (const max of CELL_LENGTHS) {
    texts = rows.map((row) =>
      rowText(
        columns,
        row.map((cell) => shortenCell(cell, max)),
      ),
    );
    if (texts.reduce((sum, text) => sum + text.length + 1, 0) <= room) break;
  }
  return texts;
}

/** As many rows as `room` characters hold, and how many are left out. */
function tableAsText({ caption, rows }: DataTableBlock, room: number): KnownBlock[] {
  const texts = rowTexts(rows, room);
  const shown: string[] = [];
  let length = 0;
  for (const text of texts) {
    length += text.length + 1;
    if (length > room) break;
    shown.push(text);
  }
  const more = andMoreText(texts.length - shown.length);
  return [
    contextBlock(escapeMrkdwn(caption)),
    ...sectionBlocks(shown),
    ...(more === undefined ? [] : [contextBlock(more)]),
  ];
}

function alertAsText({ level = 'default', text }: AlertBlock): KnownBlock {
  const words = text.type === 'mrkdwn' ? text.text : escapeMrkdwn(text.text);
  return sectionBlock(words.startsWith(':') ? words : `${ALERT_SIGNS[level]}${words}`);
}

function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + textLength(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, field]) =>
      sum + (key === 'text' && typeof field === 'string' ? field.length : textLength(field)),
    0,
  );
}

/** The same content without the refused block types. */
export function toPlainBlocks(
  blocks: readonly MessageBlock[],
  refused: ReadonlySet<ReplaceableBlock>,
): readonly MessageBlock[] {
  const tables = blocks.filter(({ type }) => type === 'data_table');
  const others = blocks.filter(({ type }) => type !== 'data_table');
  const room = (slackLimits.allTextOfMessage.max - SPARE - textLength(others)) / Math.max(1, tables.length);
  return blocks.flatMap((block): readonly MessageBlock[] => {
    if (!(refused as ReadonlySet<string>).has(block.type)) return [block];
    if (block.type === 'data_table') return tableAsText(block, room);
    if (block.type === 'alert') return [alertAsText(block)];
    if (block.type === 'container')
      return [sectionBlock(`*${escapeMrkdwn(block.title?.text ?? '')}*`), ...block.child_blocks];
    return block.type === 'data_visualization' ? [sectionBlock(chartText(block))] : [block];
  });
}
