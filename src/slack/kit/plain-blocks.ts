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

type RichSection = Extract<RichTextBlock['elements'][number], { type: 'rich_text_section' }>;

function inlineText(part: RichSection['elements'][number]): string {
  if (part.type === 'text') return part.style?.code ? codeText(part.text) : escapeMrkdwn(part.text);
  if (part.type === 'link') return formatLink(part.url, part.text ?? part.url);
  if (part.type === 'user') return formatMention(UserId.parse(part.user_id));
  if (part.type === 'channel') return channelLink(ChannelId.parse(part.channel_id));
  return part.type === 'date' ? formatDate(part.timestamp * 1_000) : '';
}

/** Clips a text to `max`; links, people and dates stay whole. */
function cellText(cell: TableCell, max: number): string {
  if (cell.type !== 'rich_text') return escapeMrkdwn(clipText(cell.text ?? '', max));
  return cell.elements
    .flatMap((part) => (part.type === 'rich_text_section' ? part.elements.map(inlineText) : []))
    .join('');
}

/** `*Node* · Status: active · Sent today: 3` */
function rowText(columns: readonly string[], row: readonly TableCell[], max: number): string {
  const [head, ...rest] = row.map((cell) => cellText(cell, max));
  return joinFacts(`*${head ?? ''}*`, ...rest.map((text, index) => `${columns[index + 1] ?? ''}: ${text}`));
}

/** Longer cells are shortened step by step before any row is left out. */
const CELL_LENGTHS = [Number.POSITIVE_INFINITY, 100, 50, 25];

function rowTexts([head, ...rows]: DataTableBlock['rows'], room: number): readonly string[] {
  const columns = (head ?? []).map((cell) => cellText(cell, Number.POSITIVE_INFINITY));
  let texts: readonly string[] = [];
  for (const max of CELL_LENGTHS) {
    texts = rows.map((row) => rowText(columns, row, max));
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
export function toPlainBlocks(blocks: readonly MessageBlock[], refused: ReadonlySet<ReplaceableBlock>) {
  const tables = blocks.filter(({ type }) => type === 'data_table');
  const others = blocks.filter(({ type }) => type !== 'data_table');
  // 500 characters are for the rest of the message.
  const room = (slackLimits.allTextOfMessage.max - 500 - textLength(others)) / Math.max(1, tables.length);
  return blocks.flatMap((block): readonly MessageBlock[] => {
    if (!(refused as ReadonlySet<string>).has(block.type)) return [block];
    if (block.type === 'data_table') return tableAsText(block, room);
    if (block.type === 'alert') return [alertAsText(block)];
    if (block.type === 'container')
      return [sectionBlock(`*${escapeMrkdwn(block.title?.text ?? '')}*`), ...block.child_blocks];
    return block.type === 'data_visualization' ? [sectionBlock(chartText(block))] : [block];
  });
}
