/** Lists in pages, with Slack's opaque cursors. */
import type { JsonObject } from '../objects.ts';
import type { CallArguments } from '../web/arguments.ts';
import { invalidArgumentsError, SlackApiError } from '../web/slack-api-error.ts';

const PREFIX = 'next:';

export interface PageSizeLimits {
  readonly usual: number;
  readonly most: number;
}

export interface CursorPage<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly response_metadata: JsonObject;
}

/** @throws SlackApiError `invalid_cursor`, `invalid_limit` */
export function paginateByCursor<T>(
  all: readonly T[],
  args: CallArguments,
  size: PageSizeLimits,
): CursorPage<T> {
  const limit = args.number('limit', size.usual) || size.usual;
  if (limit < 0) throw new SlackApiError('invalid_limit');
  if (!Number.isInteger(limit)) throw invalidArgumentsError('must be an integer [json-pointer:/limit]');
  const start = readCursor(args.text('cursor'));
  const end = start + Math.min(limit, size.most);
  const hasMore = end < all.length;
  const next = hasMore ? Buffer.from(`${PREFIX}${end}`).toString('base64') : '';
  return { items: all.slice(start, end), hasMore, response_metadata: { next_cursor: next } };
}

function readCursor(cursor: string | undefined): number {
  if (!cursor) return 0;
  const read = Buffer.from(cursor, 'base64').toString('utf8');
  const start = Number(read.slice(PREFIX.length));
  if (!read.startsWith(PREFIX) || !Number.isInteger(start)) throw new SlackApiError('invalid_cursor');
  return start;
}
