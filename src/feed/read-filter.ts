/** Reading a filter, one page at a time; every page leaves a state from which the next goes on. Pure. */
import { DAY, type Instant } from '../clock.ts';
import type { ChannelId } from '../ids.ts';
import {
  decidePageContinuation,
  type FetchedPage,
  type FetchedPageQuery,
  type PageContinuation,
} from './page-continuation.ts';
import { FEED_RETENTION_MS, type FilterState, type UnreadGap, type Watermark } from './records.ts';
import {
  convertTimestampUnit,
  getLastElapsedTimestamp,
  getStartTimestamp,
  inferTimestampUnit,
  instantToTimestamp,
  type TimestampUnit,
  type TimestampUnitGuess,
  timestampToInstant,
} from './timestamps.ts';
import { addWatermark, chooseWatermark } from './watermarks.ts';

/** The part of a filter's state that reading changes. */
type ReadState = Pick<FilterState, 'marks' | 'gaps'>;

export type FilterReadRequest =
  /** The newest projects. */
  | {
      readonly kind: 'top';
      readonly latestPublishedTs: number;
      readonly until: number;
      readonly first: boolean;
      /** The unit of the server is not known yet: asked so that a wrong guess finds nothing. */
      readonly guess?: TimestampUnitGuess;
      readonly nextCursor?: number;
    }
  /** Older ones that an earlier page had no room for. */
  | { readonly kind: 'gap'; readonly nextCursor: number; readonly gap: UnreadGap }
  /** The past, for one channel that asked for it. */
  | { readonly kind: 'backfill'; readonly channel: ChannelId; readonly nextCursor?: number }
  /** Projects that still wait for their verdict. */
  | { readonly kind: 'verdicts'; readonly latestPublishedTs?: number };

/** More gaps than this are read as one: repeats in between cost nothing. */
const MOST_GAPS = 12;

/** The newest projects: from the mark, or from `startsAt` where that is later, since nobody wants what was before. */
export function buildNewestRequest(
  state: ReadState,
  startsAt: Instant,
  unit: TimestampUnit,
  now: Instant,
): Extract<FilterReadRequest, { kind: 'top' }> {
  const start = getStartTimestamp(startsAt, unit);
  const pass = chooseWatermark(state.marks, now);
  const newest = state.marks.at(-1);
  return {
    kind: 'top',
    latestPublishedTs: pass ? Math.max(convertTimestampUnit(pass.ts, unit), start) : start,
    until: newest ? Math.max(convertTimestampUnit(newest.ts, unit), start) : start,
    first: newest === undefined,
  };
}

/** The newest gap. Undefined when there is none. */
export function buildGapRequest(state: ReadState): Extract<FilterReadRequest, { kind: 'gap' }> | undefined {
  const gap = state.gaps.at(-1);
  return gap && { kind: 'gap', nextCursor: gap.cursor, gap };
}

/** The gaps without what lies before `startsAt`: nobody wants it any more. */
export function dropOldGaps(gaps: readonly UnreadGap[], startsAt: Instant): UnreadGap[] {
  return gaps.flatMap((gap) => {
    const start = getLastElapsedTimestamp(startsAt, inferTimestampUnit(gap.cursor));
    if (gap.rising) return [gap];
    if (gap.cursor <= start) return [];
    return [gap.floor !== undefined && gap.floor < start ? { ...gap, floor: start } : gap];
  });
}

/**
 * A new billing period charges for repeats again: from here on nothing is read that was read in the one before.
 * Verdicts that are missing then stay missing.
 */
export function resetForNewBillingPeriod(state: ReadState): ReadState {
  return {
    marks: state.marks.slice(-1),
    gaps: state.gaps.map((gap) => (gap.until === undefined ? gap : { ...gap, floor: gap.until })),
  };
}

function newestOf(page: FetchedPage, unit: TimestampUnit, askedAt: Instant): number {
  const told = page.latestPublishedTs ?? 0;
  const dated = page.items.map((item) => item.publishedAt ?? 0);
  // A date in the future would leave out everything until then, and one of this second what the rest of it brings.
  return Math.min(
    Math.max(convertTimestampUnit(told, unit), instantToTimestamp(Math.max(0, ...dated), unit)),
    getLastElapsedTimestamp(askedAt, unit),
  );
}

/** Which unit the server counts in, as far as this page shows it. */
export function detectTimestampUnitFromPage(page: FetchedPage): TimestampUnit | undefined {
  const shown = [page.latestPublishedTs, page.nextCursor].find((ts) => ts !== undefined && ts > 0);
  return shown === undefined ? undefined : inferTimestampUnit(shown);
}

function mergeOldest(gaps: readonly UnreadGap[]): UnreadGap[] {
  const [oldest, second, ...rest] = gaps;
  if (gaps.length <= MOST_GAPS || !oldest || !second) return [...gaps];
  const { floor, until } = oldest;
  const merged: UnreadGap = {
    ...second,
    cursor: oldest.rising ? oldest.cursor : second.cursor,
    ...(floor === undefined ? {} : { floor }),
    ...(until === undefined ? {} : { until }),
  };
  return [merged, ...rest];
}

function gapFrom(
  end: Extract<PageContinuation, { kind: 'goes-on' }>,
  asked: FetchedPageQuery,
  foundAt: Instant,
): UnreadGap {
  return {
    cursor: end.cursor,
    foundAt,
    ...(asked.floor === undefined ? {} : { floor: asked.floor }),
    ...(asked.until === undefined ? {} : { until: asked.until }),
    ...(end.rising ? { rising: true } : {}),
    ...(end.wide ? { wide: true } : {}),
  };
}

export interface AppliedPage extends ReadState {
  /** Whether this stretch is complete. */
  readonly done: boolean;
  /** Where it goes on; only where it is not complete. */
  readonly cursor?: number;
}

function foldTop(
  state: ReadState,
  request: Extract<FilterReadRequest, { kind: 'top' }>,
  page: FetchedPage,
  unit: TimestampUnit,
  askedAt: Instant,
): AppliedPage {
  const asked = { floor: request.latestPublishedTs, until: request.until };
  const end = decidePageContinuation(asked, page);
  const newest = Math.max(newestOf(page, unit, askedAt), convertTimestampUnit(request.until, unit));
  const before = state.marks.map((mark) => ({ ...mark, ts: convertTimestampUnit(mark.ts, unit) }));
  // The first page has its own place, too: what it brings may change, or another be indexed behind it.
  const from =
    before.length > 0 ? before : [{ ts: convertTimestampUnit(request.latestPublishedTs, unit), at: askedAt }];
  const marks: Watermark[] = addWatermark(from, newest, askedAt);
  // A first page without any date can't be told from the past: reading on would buy all of it.
  const blind = request.first && page.items.every((item) => item.publishedAt === undefined);
  if (end.kind === 'finished' || blind) return { marks, gaps: state.gaps, done: true };
  const gaps = mergeOldest([...state.gaps, gapFrom(end, asked, askedAt)]);
  return { marks, gaps, done: false, cursor: end.cursor };
}

function sameGap(one: UnreadGap, other: UnreadGap): boolean {
  return one.cursor === other.cursor && one.foundAt === other.foundAt;
}

function askedBy(gap: UnreadGap): FetchedPageQuery {
  const { cursor, floor, until, rising, wide } = gap;
  return {
    nextCursor: cursor,
    ...(floor === undefined ? {} : { floor }),
    ...(until === undefined ? {} : { until }),
    ...(rising === undefined ? {} : { rising }),
    ...(wide === undefined ? {} : { wide }),
  };
}

function foldGap(
  state: ReadState,
  request: Extract<FilterReadRequest, { kind: 'gap' }>,
  page: FetchedPage,
  askedAt: Instant,
): AppliedPage {
  const { gap } = request;
  const asked = askedBy(gap);
  const end = decidePageContinuation(asked, page);
  const { marks } = state;
  const others = state.gaps.filter((other) => !sameGap(other, gap));
  if (end.kind === 'finished') return { marks, gaps: others, done: true };
  const moved = gapFrom(end, asked, gap.foundAt ?? askedAt);
  const gaps = state.gaps.map((other) => (sameGap(other, gap) ? moved : other));
  return { marks, gaps, done: false, cursor: end.cursor };
}

/**
 * The state after a page. Marks move for the newest projects alone; the past and late verdicts change nothing here.
 * @param askedAt the page holds nothing that was published after this, as far as can be relied on
 */
export function applyPageToReadState(
  state: ReadState,
  request: FilterReadRequest,
  page: FetchedPage,
  unit: TimestampUnit,
  askedAt: Instant,
): AppliedPage {
  switch (request.kind) {
    case 'top':
      return foldTop(state, request, page, unit, askedAt);
    case 'gap':
      return foldGap(state, request, page, askedAt);
    case 'backfill': {
      const end = decidePageContinuation(
        request.nextCursor === undefined ? {} : { nextCursor: request.nextCursor },
        {
          ...page,
          // A page of known projects is no end: the ones before may be wanted, too.
          items: page.items.map((item) => ({ ...item, known: false })),
        },
      );
      const onwards = end.kind === 'goes-on' && !end.rising && end.cursor !== request.nextCursor;
      return !onwards ? { ...state, done: true } : { ...state, done: false, cursor: end.cursor };
    }
    case 'verdicts':
      return { ...state, done: true };
  }
}

/** What was passed as `latest_published_ts`, for reading the same stretch again. */
export function getRequestedLatestTs(request: FilterReadRequest): number | undefined {
  switch (request.kind) {
    case 'top':
    case 'verdicts':
      return request.latestPublishedTs;
    case 'gap':
      return request.gap.floor;
    case 'backfill':
      return undefined;
  }
}

/** Whether the page shows that the server ignores `latest_published_ts`. */
export function isLatestTsIgnored(request: FilterReadRequest, page: FetchedPage): boolean {
  const floor = getRequestedLatestTs(request);
  if (floor === undefined) return false;
  // Seconds passed to a server that counts milliseconds lie in 1970: it sends all that there is, and ignores nothing.
  if (detectTimestampUnitFromPage(page) === 1_000 && inferTimestampUnit(floor) === 1) return false;
  return page.items.some(
    (item) => item.publishedAt !== undefined && item.publishedAt < timestampToInstant(floor),
  );
}

/** A project that the filter had not sent when it should have, published this long before: not news for anybody. */
const STALE_MS = 30 * DAY;

/**
 * Published before this it is the past for everyone: it was cleared out of our records, or indexed absurdly late.
 * A channel that asks for the past may have it all the same.
 */
export function getStaleCutoff(request: FilterReadRequest, now: Instant): Instant {
  const floor = getRequestedLatestTs(request);
  return Math.max(now - FEED_RETENTION_MS, floor === undefined ? 0 : timestampToInstant(floor) - STALE_MS);
}
