/**
 * Builds the blocks that Slack added in 2026: tables that sort and page, alerts, and sections that fold.
 * `plain-blocks.ts` has the plain form of each, for workspaces whose Slack refuses it. Cell texts are plain:
 * they need no escaping. Pure.
 */
import type { AlertBlock, ContainerBlock, DataTableBlock, RichTextElement, SectionBlock } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import { plainTextObject, sectionBlock } from './block-builders.ts';
import { slackLimits } from './limits.ts';
import { cleanLine, clipText, safeUrl, unescapeMrkdwn } from './mrkdwn.ts';
import { formatNumber } from './numbers.ts';

export type TableCell = DataTableBlock['rows'][number][number];

/** What a cell without a value shows: Slack refuses empty ones. */
const NO_VALUE = '–';
const LONGEST_CELL = 200;

/** @param text plain; strangers' text is fine. Empty or undefined: a dash */
export function textCell(text: string | undefined, max = LONGEST_CELL): TableCell {
  return { type: 'raw_text', text: clipText(cleanLine(text ?? ''), max) || NO_VALUE };
}

/**
 * Sorts by its number: a column sorts as numbers if all its cells are numbers.
 * @param shown how it's shown, such as `40%`; the number with separators by default
 */
export function numberCell(value: number, shown = formatNumber(value)): TableCell {
  return { type: 'raw_number', value, text: clipText(shown, 40) };
}

function richCell(elements: readonly RichTextElement[]): TableCell {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [...elements] }] };
}

export function personCell(user: UserId): TableCell {
  return richCell([{ type: 'user', user_id: user }]);
}

/** A date and time in the reader's time zone. */
export function dateCell(at: Instant): TableCell {
  const fallback = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const timestamp = Math.floor(at / 1_000);
  return richCell([{ type: 'date', timestamp, format: '{date_short_pretty} {time}', fallback }]);
}

function tokenElement(token: string): RichTextElement {
  const [body = '', label = ''] = token.split('|', 2);
  const [, seconds, format = ''] = /^!date\^(\d+)\^(.*)$/u.exec(body) ?? [];
  if (seconds !== undefined) {
    const plain = format.replaceAll(/[^{}\p{L}\p{N}_, ]/gu, '');
    return { type: 'date', timestamp: Number(seconds), format: plain, fallback: label };
  }
  if (body.startsWith('@')) return { type: 'user', user_id: body.slice(1) };
  if (body.startsWith('#')) return { type: 'channel', channel_id: body.slice(1) };
  const url = safeUrl(unescapeMrkdwn(body));
  const words = unescapeMrkdwn(label) || url || '';
  return url ? { type: 'link', url, text: words } : { type: 'text', text: words || NO_VALUE };
}

/** Our own mrkdwn as a cell: mentions, channels, dates, links and code. Bold and italics stay signs. */
export function mrkdwnCell(text: string, max = LONGEST_CELL): TableCell {
  const words = clipText(text, max).replaceAll('\n', ' ');
  const elements: RichTextElement[] = [];
  let from = 0;
  const addText = (part: string) => {
    if (part) elements.push({ type: 'text', text: unescapeMrkdwn(part) });
  };
  for (const found of words.matchAll(/<([^<>]*)>|`([^`]*)`/gu)) {
    addText(words.slice(from, found.index));
    if (found[1] !== undefined) elements.push(tokenElement(found[1]));
    else if (found[2]) elements.push({ type: 'text', text: unescapeMrkdwn(found[2]), style: { code: true } });
    from = found.index + found[0].length;
  }
  addText(words.slice(from));
  const isPlain = elements.every((each) => each.type === 'text' && !each.style);
  return isPlain ? textCell(unescapeMrkdwn(words), max) : richCell(elements);
}

export interface DataTableFacts {
  /** Says what the table shows, also to screen readers. Plain. */
  readonly caption: string;
  /** Names of the columns. Plain, at most 20. */
  readonly columns: readonly string[];
  /** At least one row, with a cell for each column. Rows beyond 100 are left out. */
  readonly rows: readonly (readonly TableCell[])[];
  /** Rows on a page: 10 by default. */
  readonly pageSize?: number;
}

/** The first column names the row. For messages and Home. @throws RangeError without rows */
export function dataTableBlock({ caption, columns, rows, pageSize = 10 }: DataTableFacts): DataTableBlock {
  if (rows.length === 0) throw new RangeError('a table needs a row');
  const most = slackLimits.dataTableRows.max - 1;
  return {
    type: 'data_table',
    caption: clipText(cleanLine(caption), slackLimits.dataTableCaption.max),
    rows: [columns.map((name) => textCell(name)), ...rows.slice(0, most).map((row) => [...row])],
    page_size: pageSize,
    row_header_column_index: 0,
  };
}

export type AlertLevel = NonNullable<AlertBlock['level']>;

/** What an alert begins with where it is shown as a section. */
export const ALERT_SIGNS: Readonly<Record<AlertLevel, string>> = {
  default: '',
  info: ':information_source: ',
  warning: ':warning: ',
  error: ':no_entry: ',
  success: ':white_check_mark: ',
};

/** A coloured notice, for modals only; a section if it's too long for one. @param text safe mrkdwn */
export function alertBlock(level: Exclude<AlertLevel, 'default'>, text: string): AlertBlock | SectionBlock {
  if (text.length > slackLimits.alertText.max) return sectionBlock(`${ALERT_SIGNS[level]}${text}`);
  return { type: 'alert', level, text: { type: 'mrkdwn', text, verbatim: true } };
}

/** The block types that Slack takes inside a container. */
type ContainedBlock = Extract<
  ContainerBlock['child_blocks'][number],
  { readonly type: 'actions' | 'context' | 'divider' | 'header' | 'section' }
>;

/** Blocks that a press on the title opens, in messages and Home. @param title plain @param blocks 1 to 10 */
export function foldedBlock(title: string, blocks: readonly ContainedBlock[]): ContainerBlock {
  return {
    type: 'container',
    title: plainTextObject(clipText(cleanLine(title), slackLimits.containerTitle.max)),
    child_blocks: [...blocks],
    is_collapsible: true,
    default_collapsed: true,
  };
}
