/** Lists that are longer than a message: pages, their position, and the buttons that turn them. Pure. */
import type { Button } from '@slack/types';
import type { Message } from '../core/routes.ts';
import { type ButtonFacts, buttonElement } from './block-builders.ts';
import { findMessageLimitProblems } from './check-limits.ts';
import { formatNumber } from './numbers.ts';

/** @param asked from 1; a page beyond the end shows the last one */
export function cutPage<T>(rows: readonly T[], asked: number, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const page = Math.min(asked, pages);
  return { page, pages, rows: rows.slice((page - 1) * size, page * size) };
}

/** `page 2 of 3`; `page 2` if the number of pages is unknown. */
export function pageText(page: number, pages: number | undefined): string {
  return pages === undefined || page > pages
    ? `page ${formatNumber(page)}`
    : `page ${formatNumber(page)} of ${formatNumber(pages)}`;
}

/** A button to another page. */
interface PageTurn<T> extends Omit<ButtonFacts, 'value'> {
  /** undefined: there is no such page, so there is no button. */
  readonly to: T | undefined;
}

/** @param write the value that names the target page */
export function pageButtons<T>(write: (to: T) => string, ...turns: readonly PageTurn<T>[]): Button[] {
  return turns.flatMap(({ to, ...facts }) =>
    to === undefined ? [] : [buttonElement({ ...facts, value: write(to) })],
  );
}

/** `…and 3 more`; undefined if there are no more. */
export function andMoreText(more: number): string | undefined {
  return more > 0 ? `…and ${formatNumber(more)} more` : undefined;
}

/** The message with as many rows as Slack takes: long ones fill it before `most` of them are in it. */
export function fitRows(most: number, draw: (rows: number) => Message): Message {
  let message = draw(most);
  for (let rows = most - 1; rows > 0 && findMessageLimitProblems(message).length > 0; rows--)
    message = draw(rows);
  return message;
}
