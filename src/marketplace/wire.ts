/**
 * The frame of the API's answers: data, paging, cursors and credits. Field by field it is read into the shapes of
 * schema.ts; a list survives items that cannot be read, and counts them. Source: docs/marketplace-api.md.
 */
import type { Paging, ResponseCredits } from './schema.ts';
import {
  isObject,
  omitUndefined,
  parseBoolean,
  parseCount,
  parseInstant,
  parseList,
  parseTimestamp,
  toUnknownFields,
} from './wire-values.ts';

/** What an answer holds under `data`; undefined when it holds nothing there. */
export function parseResponseData(body: unknown): unknown {
  const { data } = toUnknownFields(body);
  return data ?? undefined;
}

/** A list under `data`, or undefined when there is none. */
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

/** Credits of a paid plan a month. Source: docs/marketplace-api.md, Limits. */
const MONTHLY_CREDITS = 10_000;

/**
 * The credits of an answer with `returned` projects. Projects that were paid for must not be lost because this part
 * cannot be read, so a missing number is assumed and named in `assumed`: `consumed` as the number of projects
 * returned, which is the most that can have been charged; `remaining` as what was left before (`lastRemaining`, or a
 * month's credits) less that. Nobody may reckon with a number that was assumed.
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
