/** How many projects a page asks for. Pure. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { MAX_PROJECTS_PAGE, MIN_PROJECTS_PAGE } from '../credits/credits-service.ts';
import type { FetchedPage } from './page-continuation.ts';
import type { FilterReadRequest } from './read-filter.ts';
import { timestampToInstant } from './timestamps.ts';

type NewestRequest = Extract<FilterReadRequest, { kind: 'top' }>;

interface PageNeed {
  readonly request: FilterReadRequest;
  /** Projects a second, as learned. */
  readonly rate: number;
  /** How many the next page of the newest must hold at least, as the last one showed. */
  readonly room: number;
  /** Past projects that a backfill still looks for. */
  readonly backfillLeft: number;
  /** What the payers have left together; Infinity: unlimited. */
  readonly available: number;
  readonly now: Instant;
  /** The server ignores what is passed: what a page has room for beyond the new is paid for, too. */
  readonly ignoresLatest: boolean;
}

/** Arrivals come in bursts: room for half as many again, and some. */
const SPARE = 1.5;
const SPARE_PROJECTS = 4;
const LONGEST_STRETCH_MS = 30 * MINUTE;

/** What came since the place that is passed, known projects included: they fill the page, too. */
function arrivals({ rate, now }: PageNeed, passed: number | undefined, longestMs: number): number {
  const since = passed === undefined ? now : timestampToInstant(passed);
  const stretch = Math.min(Math.max(0, now - since), longestMs) / SECOND;
  return rate * stretch * SPARE + SPARE_PROJECTS;
}

function expected(need: PageNeed): number {
  const { request } = need;
  if (need.ignoresLatest && request.kind !== 'backfill') return MIN_PROJECTS_PAGE;
  switch (request.kind) {
    case 'top':
      return Math.max(
        need.room + SPARE_PROJECTS,
        arrivals(need, request.latestPublishedTs, LONGEST_STRETCH_MS),
      );
    case 'verdicts':
      // The project itself lies at the far end, and the known ones before it cost nothing.
      return arrivals(need, request.latestPublishedTs, Number.POSITIVE_INFINITY);
    case 'gap':
      return MAX_PROJECTS_PAGE;
    case 'backfill':
      return need.backfillLeft;
  }
}

/**
 * How many the next page of the newest must hold to reach as far back as this one should have: after a burst the learned
 * rate knows nothing of it, and known projects alone would fill the page. 0: nothing is known of that.
 */
export function estimateNextPageSize(request: NewestRequest, page: FetchedPage, limit: number): number {
  const floor = timestampToInstant(request.latestPublishedTs);
  if (page.items.some(({ publishedAt = floor }) => publishedAt < floor)) return 0;
  const { length } = page.items;
  const isFull = page.isLast !== true && length + page.unreadable >= limit;
  return isFull ? 2 * limit : length;
}

/**
 * The `limit` to reserve for, 10 to 100. A rest that no page could be bought with is taken along: only new projects
 * are charged, and else those credits would lie idle.
 */
export function decidePollPageSize(need: PageNeed): number {
  const wanted = Math.min(Math.max(Math.ceil(expected(need)), MIN_PROJECTS_PAGE), MAX_PROJECTS_PAGE);
  const { available } = need;
  const rest = available - wanted;
  return rest > 0 && rest < MIN_PROJECTS_PAGE ? Math.min(available, MAX_PROJECTS_PAGE) : wanted;
}
