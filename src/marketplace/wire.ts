/**
 * The frame of the API's answers: data, paging, cursors and credits. Field by field it is read into the shapes of
 * schema.ts; a list survives items that cannot be read, and counts them. Source: docs/marketplace-api.md.
 */
import type { CreditsAnswer, Paging } from './schema.ts';
import { count, fieldsOf, flag, instant, isObject, known, list, timestamp } from './wire-values.ts';

/** What an answer holds under `data`; undefined when it holds nothing there. */
export function readData(body: unknown): unknown {
  const { data } = fieldsOf(body);
  return data ?? undefined;
}

/** A list under `data`, or undefined when there is none. */
export function readItems<T>(
  body: unknown,
  read: (item: unknown) => T | undefined,
): { readonly items: T[]; readonly unreadable: number } | undefined {
  return list(readData(body), read);
}

/** Page-based paging; each number may be missing. */
export function readPaging(body: unknown): Paging {
  const { total, page, limit, pages } = paginationOf(body);
  return known({ total: count(total), page: count(page), limit: count(limit), pages: count(pages) });
}

/** Cursor-based paging, in the server's own numbers. */
export function readCursor(body: unknown) {
  const { is_last, next_cursor, latest_published_ts } = paginationOf(body);
  return known({
    isLast: flag(is_last),
    nextCursor: count(next_cursor) || undefined,
    latestPublishedTs: count(latest_published_ts) || undefined,
  });
}

function paginationOf(body: unknown) {
  const { pagination } = fieldsOf(body);
  return fieldsOf(pagination);
}

/** Credits of a paid plan a month. Source: docs/marketplace-api.md, Limits. */
const MONTHLY_CREDITS = 10_000;

/**
 * The credits of an answer with `returned` projects. Projects that were paid for must not be lost because this part
 * cannot be read, so a missing number is assumed and named in `assumed`: `consumed` as the number of projects
 * returned, which is the most that can have been charged; `remaining` as what was left before (`lastRemaining`, or a
 * month's credits) less that. Nobody may reckon with a number that was assumed.
 */
export function readCredits(
  body: unknown,
  returned: number,
  lastRemaining: number | undefined,
): CreditsAnswer {
  const { credits } = fieldsOf(body);
  const fields = isObject(credits) ? credits : {};
  const { remaining, reset_date, new_projects_consumed } = fields;
  const told = { remaining: count(remaining), consumed: count(new_projects_consumed) };
  const consumed = told.consumed ?? returned;
  const left = told.remaining ?? Math.max((lastRemaining ?? MONTHLY_CREDITS) - consumed, 0);
  const assumed = missing(told.remaining === undefined, told.consumed === undefined);
  const resetsAt = instant(reset_date) ?? timestamp(reset_date);
  return known({ remaining: left, resetsAt, consumed, assumed });
}

function missing(remaining: boolean, consumed: boolean): CreditsAnswer['assumed'] {
  if (remaining) return consumed ? 'both' : 'remaining';
  return consumed ? 'consumed' : undefined;
}
