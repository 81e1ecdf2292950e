/**
 * The envelope of API responses: JSON, data, paging, cursors and credits. A list keeps its readable items and
 * counts the others. Source: docs/marketplace-api.md. Pure.
 */
import { z } from 'zod';
import { count, section } from './shape.ts';
import {
  parseBoolean,
  parseCount,
  parseInstant,
  parseList,
  parseTimestamp,
  toUnknownFields,
} from './values.ts';

/** Keys that could reach an object's prototype. */
const DANGEROUS = ['__proto__', 'constructor', 'prototype'] as const;

/** Also matches keys that escapes hide in part; there is no other reason for such escapes. */
const SUSPICIOUS = /__proto__|constructor|prototype|\\u00(5f|6|7)/i;

/** The value; undefined for invalid JSON. Drops dangerous keys at every depth. */
export function parseSafeJson(source: string): unknown {
  try {
    const value: unknown = JSON.parse(source);
    if (SUSPICIOUS.test(source)) dropDangerous(value);
    return value;
  } catch {
    return undefined;
  }
}

/** Uses a worklist: JSON can be deeper than the call stack. As own keys they are harmless until dropped. */
function dropDangerous(value: unknown): void {
  const left: object[] = [];
  const visit = (each: unknown) => {
    if (typeof each === 'object' && each !== null) left.push(each);
  };
  visit(value);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const key of DANGEROUS) Reflect.deleteProperty(next, key);
    for (const each of Object.values(next)) visit(each);
  }
}

/** The response's `data`; undefined when empty. */
export function parseResponseData(body: unknown): unknown {
  return toUnknownFields(body)['data'] ?? undefined;
}

/** A list under `data`; undefined when there is none. */
export function parseResponseItems<T>(body: unknown, read: (item: unknown) => T | undefined) {
  return parseList(parseResponseData(body), read);
}

const paging = section({ total: count, page: count, limit: count, pages: count });
export const Paging = paging.schema;
export type Paging = z.infer<typeof Paging>;

/** Page-based paging; each number may be missing. */
export function parsePaging(body: unknown): Paging {
  return paging.parse(paginationOf(body)) ?? {};
}

/** Cursor-based paging, in the server's own numbers. */
export function parseCursorPaging(body: unknown) {
  const { is_last, next_cursor, latest_published_ts } = paginationOf(body);
  return {
    isLast: parseBoolean(is_last),
    nextCursor: parseCount(next_cursor) || undefined,
    latestPublishedTs: parseCount(latest_published_ts) || undefined,
  };
}

function paginationOf(body: unknown) {
  return toUnknownFields(toUnknownFields(body)['pagination']);
}

export const ResponseCredits = z.object({
  remaining: z.number().int(),
  /** When the billing period ends; missing if unreadable. */
  resetsAt: z.number().optional(),
  /** Charged by this response. */
  consumed: z.number().int().nonnegative(),
  /** The unreadable number: a guess, not the server's value. For `consumed` it is the possible maximum. */
  assumed: z.enum(['remaining', 'consumed', 'both']).optional(),
  /** An earlier try got no response. It may have been charged too, which `consumed` doesn't include. */
  repeated: z.literal(true).optional(),
});
export type ResponseCredits = z.infer<typeof ResponseCredits>;

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
  const { remaining, reset_date, new_projects_consumed } = toUnknownFields(toUnknownFields(body)['credits']);
  const answered = { remaining: parseCount(remaining), consumed: parseCount(new_projects_consumed) };
  const consumed = answered.consumed ?? returned;
  const left = answered.remaining ?? Math.max((lastRemaining ?? MONTHLY_CREDITS) - consumed, 0);
  const assumed = missing(answered.remaining === undefined, answered.consumed === undefined);
  const resetsAt = parseInstant(reset_date) ?? parseTimestamp(reset_date);
  return { remaining: left, resetsAt, consumed, assumed };
}

function missing(remaining: boolean, consumed: boolean): ResponseCredits['assumed'] {
  if (remaining) return consumed ? 'both' : 'remaining';
  return consumed ? 'consumed' : undefined;
}
