/**
 * Parses the envelope of API responses: data, paging, cursors and credits. A list keeps its readable items
 * and counts the others. Shapes: schema.ts. Source: docs/marketplace-api.md.
 */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { Paging, ResponseCredits } from './schema.ts';
import {
  isObject,
  parseBoolean,
  parseCount,
  parseInstant,
  parseList,
  parseTimestamp,
  toUnknownFields,
} from './wire-values.ts';

/** The response's `data`; undefined when empty. */
export function parseResponseData(body: unknown): unknown {
  const { data } = toUnknownFields(body);
  return data ?? undefined;
}

/** A list under `data`; undefined when there is none. */
export function parseResponseItems<T>(
  body: unknown,
  read: (item: unknown) => T | undefined,
): { readonly items: T[]; readonly unreadable: number } | undefined {
  return parseList(parseResponseData(body), read);
}

/** Page-based paging; each number may be missing. */
export function parsePaging(body: unknown): Paging {
  const { total, page, limit, pages } = paginationOf(body);
  return omitUndefined({
    total: parseCount(total),
    page: parseCount(page),
    limit: parseCount(limit),
    pages: parseCount(pages),
  });
}

/** Cursor-based paging, in the server's own numbers. */
export function parseCursorPaging(body: unknown) {
  const { is_last, next_cursor, latest_published_ts } = paginationOf(body);
  return omitUndefined({
    isLast: parseBoolean(is_last),
    nextCursor: parseCount(next_cursor) || undefined,
    latestPublishedTs: parseCount(latest_published_ts) || undefined,
  });
}

function paginationOf(body: unknown) {
  const { pagination } = toUnknownFields(body);
  return toUnknownFields(pagination);
}

/** Monthly credits of a paid plan. Source: docs/marketplace-api.md, Limits. */
const MONTHLY_CREDITS = 10_000;

/**
 * The credits of a response with `returned` projects. Paid projects must not be lost because this part is
 * unreadable, so a missing number is estimated and named in `assumed`. `consumed` becomes the number of
 * returned projects, the most that can have been charged. `remaining` becomes the previous balance
 * (`lastRemaining`, or a month's credits) minus that. Don't calculate with assumed numbers.
 */
export function parseResponseCredits(
  body: unknown,
  returned: number,
  lastRemaining: number | undefined,
): ResponseCredits {
  const { credits } = toUnknownFields(body);
  const fields = isObject(credits) ? credits : {};
  const { remaining, reset_date, new_projects_consumed } = fields;
  const told = { remaining: parseCount(remaining), consumed: parseCount(new_projects_consumed) };
  const consumed = told.consumed ?? returned;
  const left = told.remaining ?? Math.max((lastRemaining ?? MONTHLY_CREDITS) - consumed, 0);
  const assumed = missing(told.remaining === undefined, told.consumed === undefined);
  const resetsAt = parseInstant(reset_date) ?? parseTimestamp(reset_date);
  return omitUndefined({ remaining: left, resetsAt, consumed, assumed });
}

function missing(remaining: boolean, consumed: boolean): ResponseCredits['assumed'] {
  if (remaining) return consumed ? 'both' : 'remaining';
  return consumed ? 'consumed' : undefined;
}
