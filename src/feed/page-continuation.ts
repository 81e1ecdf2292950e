/**
 * Decides whether a page of a filter was the last one needed, and where the next one begins. Pure.
 *
 * How the server uses `latest_published_ts` and `next_cursor` is not documented, so the rules work with every
 * interpretation. Rules and reasons: docs/decisions/0003-feed.md.
 */
import type { Instant } from '../clock.ts';
import type { UnreadGap } from './records.ts';
import {
  convertTimestampUnit,
  inferTimestampUnit,
  instantToTimestamp,
  timestampToInstant,
} from './timestamps.ts';

export interface FetchedProjectFacts {
  readonly publishedAt?: Instant;
  /** This filter found it before. */
  readonly known: boolean;
}

export interface FetchedPage {
  readonly items: readonly FetchedProjectFacts[];
  readonly unreadable: number;
  readonly isLast?: boolean;
  readonly nextCursor?: number;
  readonly latestPublishedTs?: number;
}

/** The request for the page. */
export interface FetchedPageQuery extends Partial<Pick<UnreadGap, 'until' | 'rising' | 'wide'>> {
  readonly nextCursor?: number;
  /** Sent as `latest_published_ts`. */
  readonly floor?: number;
}

export type PageContinuation =
  | { readonly kind: 'finished' }
  | { readonly kind: 'goes-on'; readonly cursor: number; readonly rising: boolean; readonly wide: boolean };

const FINISHED: PageContinuation = { kind: 'finished' };

function datesOf(page: FetchedPage): Instant[] {
  return page.items.flatMap((item) => (item.publishedAt === undefined ? [] : [item.publishedAt]));
}

/** Oldest first if more of the page is before the next page's start than after it. */
function isRising(asked: FetchedPageQuery, dates: readonly Instant[], cursor: number): boolean {
  const at = timestampToInstant(cursor);
  const second = at + (inferTimestampUnit(cursor) === 1 ? 999 : 0);
  const before = dates.filter((date) => date < at).length;
  const behind = dates.filter((date) => date > second).length;
  if (before !== behind) return before > behind;
  if (asked.rising !== undefined) return asked.rising;
  return asked.nextCursor !== undefined && cursor > asked.nextCursor;
}

/** Newest first: whether the page reached projects that were read before. */
function reachedTheRead(asked: FetchedPageQuery, page: FetchedPage, dates: readonly Instant[]): boolean {
  const nothingNew = page.items.every((item) => item.known);
  if (dates.length === 0) return nothingNew && page.items.length > 0;
  if (asked.floor !== undefined) {
    const floor = timestampToInstant(asked.floor);
    if (page.items.some((item) => item.known && (item.publishedAt ?? floor) < floor)) return true;
    // A single late project may be far back in a page of new ones; half a page can't be.
    if (dates.filter((date) => date < floor).length * 2 >= dates.length) return true;
  }
  const until = asked.until ?? asked.floor;
  return nothingNew && until !== undefined && dates.some((date) => date < timestampToInstant(until));
}

/**
 * Where the next page begins. A cursor equal to a project's own time may skip others of the same second, so
 * it steps back by one: repeats cost nothing.
 */
function nextPlace(dates: readonly Instant[], cursor: number, rising: boolean): number {
  const unit = inferTimestampUnit(cursor);
  const shared = dates.some((date) => instantToTimestamp(date, unit) === cursor);
  if (!shared) return cursor;
  return rising ? cursor - 1 : cursor + 1;
}

function goOn(asked: FetchedPageQuery, page: FetchedPage, cursor: number, rising: boolean): PageContinuation {
  const dates = datesOf(page);
  const next = nextPlace(dates, cursor, rising);
  const from = asked.nextCursor;
  if (from === undefined || (rising ? next > from : next < from))
    return { kind: 'goes-on', cursor: next, rising, wide: false };
  const nothingNew = page.items.every((item) => item.known);
  if (nothingNew && next !== from) return FINISHED;
  if (!asked.wide) return { kind: 'goes-on', cursor: next, rising, wide: true };
  if (nothingNew && !dates.some((date) => instantToTimestamp(date, inferTimestampUnit(cursor)) === cursor))
    return FINISHED;
  // One second has more projects than the largest page: skip the rest of that second.
  const past = rising ? Math.max(from, cursor) + 1 : Math.min(from, cursor) - 1;
  return { kind: 'goes-on', cursor: past, rising, wide: false };
}

export function decidePageContinuation(asked: FetchedPageQuery, page: FetchedPage): PageContinuation {
  const cursor = page.nextCursor;
  if (page.isLast === true || cursor === undefined || cursor <= 0) return FINISHED;
  if (page.items.length === 0 && page.unreadable === 0) return FINISHED;
  const dates = datesOf(page);
  const rising = isRising(asked, dates, cursor);
  if (!rising) return reachedTheRead(asked, page, dates) ? FINISHED : goOn(asked, page, cursor, rising);
  if (asked.floor !== undefined) {
    // Oldest first from the very beginning: the server ignores `latest_published_ts`, but a cursor can skip
    // ahead.
    const floor = convertTimestampUnit(asked.floor, inferTimestampUnit(cursor));
    const allOlder = dates.length > 0 && dates.every((date) => date < timestampToInstant(floor));
    if (allOlder && cursor < floor) return { kind: 'goes-on', cursor: floor, rising, wide: false };
  }
  return goOn(asked, page, cursor, rising);
}
