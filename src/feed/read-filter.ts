/** Reads a filter page by page; after each page, the state says where to continue. Pure. */
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../clock.ts';
import { MAX_PROJECTS_PAGE_SIZE } from '../credits/credits.ts';
import type { ChannelId } from '../ids.ts';
import {
  decidePageContinuation,
  type FetchedPage,
  type FetchedPageQuery,
  type PageContinuation,
} from './page-continuation.ts';
import { FEED_RETENTION_MS, type FilterState, type UnreadGap, type Watermark } from './records.ts';
import {
  addWatermark,
  chooseWatermark,
  convertTimestampUnit,
  getInclusiveStartTimestamp,
  getLastElapsedTimestamp,
  inferTimestampUnit,
  instantToTimestamp,
  type TimestampUnit,
  type TimestampUnitGuess,
  timestampToInstant,
} from './timestamps.ts';

/** The part of a filter's state that reads change. */
type ReadState = Pick<FilterState, 'marks' | 'gaps'>;

/** The newest projects. */
export interface NewestProjectsRequest {
  readonly kind: 'top';
  readonly latestPublishedTs: number;
  readonly until: number;
  readonly first: boolean;
  /** Set while the server's unit is unknown: a wrong guess finds nothing. */
  readonly guess?: TimestampUnitGuess;
  readonly nextCursor?: number;
}

export type FilterReadRequest =
  | NewestProjectsRequest
  /** Older projects that an earlier page had no room for. */
  | { readonly kind: 'gap'; readonly nextCursor: number; readonly gap: UnreadGap }
  /** Past projects that one channel requested. */
  | { readonly kind: 'backfill'; readonly channel: ChannelId; readonly nextCursor?: number }
  /** Projects that were listed long after their date. */
  | { readonly kind: 'late'; readonly latestPublishedTs: number }
  /** Projects that still wait for their verdict. */
  | { readonly kind: 'verdicts'; readonly latestPublishedTs?: number };

/** More gaps are merged: repeats in between cost nothing. */
const MOST_GAPS = 12;

/** The newest projects: since the watermark or `startsAt`, whichever is later. Earlier ones aren't wanted. */
export function buildNewestProjectsRequest(
  state: ReadState,
  startsAt: Instant,
  unit: TimestampUnit,
  now: Instant,
): NewestProjectsRequest {
  const start = getInclusiveStartTimestamp(startsAt, unit);
  const pass = chooseWatermark(state.marks, now);
  const newest = state.marks.at(-1);
  return {
    kind: 'top',
    latestPublishedTs: pass ? Math.max(convertTimestampUnit(pass.ts, unit), start) : start,
    until: newest ? Math.max(convertTimestampUnit(newest.ts, unit), start) : start,
    first: newest === undefined,
  };
}

/** Removes the parts of gaps before `startsAt`, which no channel wants anymore. */
export function trimGapsBeforeStart(gaps: readonly UnreadGap[], startsAt: Instant): UnreadGap[] {
  return gaps.flatMap((gap) => {
    const start = getLastElapsedTimestamp(startsAt, inferTimestampUnit(gap.cursor));
    if (gap.rising) return [gap];
    if (gap.cursor <= start) return [];
    return [gap.floor !== undefined && gap.floor < start ? { ...gap, floor: start } : gap];
  });
}

/**
 * A new billing period charges for repeats again: from here on, no project of the earlier one is read again.
 * Verdicts that are still missing stay missing.
 */
export function resetForNewBillingPeriod(state: ReadState): ReadState {
  return {
    marks: state.marks.slice(-1),
    gaps: state.gaps
      .filter(({ left }) => left === undefined)
      .map((gap) => (gap.until === undefined ? gap : { ...gap, floor: gap.until })),
  };
}

function newestOf(page: FetchedPage, unit: TimestampUnit, askedAt: Instant): number {
  const named = page.latestPublishedTs ?? 0;
  const dated = page.items.map((item) => item.publishedAt ?? 0);
  // A future date would skip everything until then; a date of this second would skip the rest of the second.
  return Math.min(
    Math.max(convertTimestampUnit(named, unit), instantToTimestamp(Math.max(0, ...dated), unit)),
    getLastElapsedTimestamp(askedAt, unit),
  );
}

/** The server's timestamp unit, if this page shows it. */
export function detectTimestampUnitFromPage(page: FetchedPage): TimestampUnit | undefined {
  const shown = [page.latestPublishedTs, page.nextCursor].find((ts) => ts !== undefined && ts > 0);
  return shown === undefined ? undefined : inferTimestampUnit(shown);
}

function mergeOldest(gaps: readonly UnreadGap[]): UnreadGap[] {
  const [oldest, second, ...rest] = gaps;
  if (gaps.length <= MOST_GAPS || !oldest || !second) return [...gaps];
  const { floor, until } = oldest;
  const { left: _, ...next } = second;
  const merged: UnreadGap = {
    ...next,
    cursor: oldest.rising ? oldest.cursor : second.cursor,
    floor: floor ?? next.floor,
    until: until ?? next.until,
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
    floor: asked.floor,
    until: asked.until,
    rising: end.rising ? true : undefined,
    wide: end.wide ? true : undefined,
  };
}

export interface ReadStateAfterPage extends ReadState {
  /** Whether this stretch is complete. */
  readonly done: boolean;
  /** Where to continue; missing if it is complete. */
  readonly cursor?: number;
}

function foldTop(
  state: ReadState,
  request: NewestProjectsRequest,
  page: FetchedPage,
  unit: TimestampUnit,
  askedAt: Instant,
): ReadStateAfterPage {
  const asked = { floor: request.latestPublishedTs, until: request.until };
  const end = decidePageContinuation(asked, page);
  const newest = Math.max(newestOf(page, unit, askedAt), convertTimestampUnit(request.until, unit));
  const before = state.marks.map((mark) => ({ ...mark, ts: convertTimestampUnit(mark.ts, unit) }));
  // The first page needs its own watermark: its projects may change, or others may be indexed later.
  const from =
    before.length > 0 ? before : [{ ts: convertTimestampUnit(request.latestPublishedTs, unit), at: askedAt }];
  const marks: Watermark[] = addWatermark(from, newest, askedAt);
  // Without any dates, a first page may be all past projects: reading on would buy all of them.
  const blind = request.first && page.items.every((item) => item.publishedAt === undefined);
  if (end.kind === 'finished' || blind) return { marks, gaps: state.gaps, done: true };
  const gaps = mergeOldest([...state.gaps, gapFrom(end, asked, askedAt)]);
  return { marks, gaps, done: false, cursor: end.cursor };
}

function sameGap(one: UnreadGap, other: UnreadGap): boolean {
  return one.cursor === other.cursor && one.foundAt === other.foundAt;
}

function foldGap(state: ReadState, request: Extract<FilterReadRequest, { kind: 'gap' }>, page: FetchedPage) {
  const { marks } = state;
  const { gap } = request;
  const { cursor, floor, until, rising, wide } = gap;
  const asked = { nextCursor: cursor, floor, until, rising, wide };
  const end = decidePageContinuation(asked, page);
  const others = state.gaps.filter((other) => !sameGap(other, gap));
  const left = gap.left === undefined ? undefined : gap.left - 1;
  const isOver = left === 0 || (left !== undefined && isMostlyNew(page));
  if (end.kind === 'finished' || isOver) return { marks, gaps: others, done: true };
  const moved = { ...gapFrom(end, asked, gap.foundAt), left };
  const gaps = state.gaps.map((other) => (sameGap(other, gap) ? moved : other));
  return { marks, gaps, done: false, cursor: end.cursor };
}

/** The further pages of a check are a gap. */
function foldLate(
  { marks, gaps }: ReadState,
  { latestPublishedTs: floor }: Extract<FilterReadRequest, { kind: 'late' }>,
  page: FetchedPage,
  askedAt: Instant,
): ReadStateAfterPage {
  const asked = { floor, until: floor };
  const end = decidePageContinuation(asked, page);
  if (end.kind === 'finished' || isMostlyNew(page)) return { marks, gaps, done: true };
  const gap = { ...gapFrom(end, asked, askedAt), left: LATE_CHECK_PAGES - 1 };
  return { marks, gaps: mergeOldest([...gaps, gap]), done: false, cursor: end.cursor };
}

/**
 * The state after a page. Only reads of the newest projects move watermarks. Backfills and verdict checks
 * change nothing here.
 * @param askedAt the page should contain nothing published after this
 */
export function applyPageToReadState(
  state: ReadState,
  request: FilterReadRequest,
  page: FetchedPage,
  unit: TimestampUnit,
  askedAt: Instant,
): ReadStateAfterPage {
  switch (request.kind) {
    case 'top':
      return foldTop(state, request, page, unit, askedAt);
    case 'gap':
      return foldGap(state, request, page);
    case 'late':
      return foldLate(state, request, page, askedAt);
    case 'backfill': {
      const { nextCursor } = request;
      // A page of known projects isn't the end: earlier ones may be wanted, too.
      const items = page.items.map((item) => ({ ...item, known: false }));
      const end = decidePageContinuation({ nextCursor }, { ...page, items });
      const goesOn = end.kind === 'goes-on' && !end.rising && end.cursor !== nextCursor;
      return goesOn ? { ...state, done: false, cursor: end.cursor } : { ...state, done: true };
    }
    case 'verdicts':
      return { ...state, done: true };
  }
}

/** The `latest_published_ts` of the request, for reading the same stretch again. */
export function getRequestedLatestTs(request: FilterReadRequest): number | undefined {
  switch (request.kind) {
    case 'top':
    case 'late':
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
  // A server that counts milliseconds takes seconds as a time in 1970: it sends everything and ignores
  // nothing.
  if (detectTimestampUnitFromPage(page) === 1_000 && inferTimestampUnit(floor) === 1) return false;
  const from = timestampToInstant(floor);
  return page.items.some(({ publishedAt = from }) => publishedAt < from);
}

/** Projects that the filter sends this long after their publishing are not news. */
const STALE_MS = 30 * DAY;

/**
 * Projects published before this count as past for every channel: their records were deleted, or they were
 * indexed far too late. Backfills may still include them.
 */
export function getStaleCutoff(request: FilterReadRequest, now: Instant): Instant {
  const floor = getRequestedLatestTs(request);
  return Math.max(now - FEED_RETENTION_MS, floor === undefined ? 0 : timestampToInstant(floor) - STALE_MS);
}

const LATE_CHECK_MS = HOUR;
const LOOK_BACK_MS = DAY;
/** Of the largest size, for each check. */
const LATE_CHECK_PAGES = 5;
/** One of so many reads is a check at most: each delays all new projects. */
const READS_PER_CHECK = 100;

/**
 * How often a filter is checked: hourly, or less if checks would take more than 1% of the reads.
 * @param rate the filter's projects per second
 * @param filters how many are read
 * @param readsPerMinute of all filters together
 */
export function computeLateCheckIntervalMs(rate: number, filters: number, readsPerMinute: number): number {
  const pages = Math.ceil((rate * LOOK_BACK_MS) / SECOND / MAX_PROJECTS_PAGE_SIZE);
  const reads = Math.min(Math.max(1, pages), LATE_CHECK_PAGES) * filters;
  return Math.max(LATE_CHECK_MS, (reads * READS_PER_CHECK * MINUTE) / readsPerMinute);
}

/**
 * When the filter is due for a check; undefined: not now. Where repeats may cost credits, or the filter is
 * still being read, there are none.
 * @param intervalMs see `computeLateCheckIntervalMs`
 */
export function findNextLateCheckTime(state: Partial<FilterState>, now: Instant, intervalMs = LATE_CHECK_MS) {
  const { marks = [], gaps = [], freeSince, lastLateAt = 0, lastPeriodEnd, ignoresLatest } = state;
  if (marks.length === 0 || gaps.length > 0 || ignoresLatest) return undefined;
  if (freeSince === undefined || lastPeriodEnd === undefined) return undefined;
  // A future time comes from a clock that was wrong.
  return Math.max(freeSince, lastLateAt > now ? 0 : lastLateAt) + intervalMs;
}

/** @returns the `latest_published_ts` to send: no project that an earlier billing period paid for */
export function getLateCheckStart(
  { freeSince = 0 }: Pick<FilterState, 'freeSince'>,
  startsAt: Instant,
  unit: TimestampUnit,
  now: Instant,
): number {
  return getInclusiveStartTimestamp(Math.max(now - LOOK_BACK_MS, startsAt, freeSince), unit);
}

/** A page of mostly unknown projects shows no late ones, but a filter that became wider: the check ends. */
function isMostlyNew({ items }: Pick<FetchedPage, 'items'>): boolean {
  return items.filter(({ known }) => !known).length * 2 > items.length;
}
