/** How many projects a page requests. Pure. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { MAX_PROJECTS_PAGE_SIZE, MIN_PROJECTS_PAGE_SIZE } from '../credits/credits-service.ts';
import type { FetchedPage } from './page-continuation.ts';
import type { FilterReadRequest } from './read-filter.ts';
import { timestampToInstant } from './timestamps.ts';

type NewestRequest = Extract<FilterReadRequest, { kind: 'top' }>;

interface PageNeed {
  readonly request: FilterReadRequest;
  /** Estimated projects per second. */
  readonly rate: number;
  /** The least that the next page of newest projects must request, according to the last page. */
  readonly room: number;
  /** Past projects that a backfill still needs. */
  readonly backfillLeft: number;
  /** Credits that the payers have left together; Infinity: unlimited. */
  readonly available: number;
  readonly now: Instant;
  /**
   * The server ignores `latest_published_ts`: it fills spare room with older projects, which cost credits.
   */
  readonly ignoresLatest: boolean;
}

/** Arrivals come in bursts, so pages get spare room. */
const SPARE = 1.5;
const SPARE_PROJECTS = 4;
const LONGEST_STRETCH_MS = 30 * MINUTE;

/** Expected projects since the given timestamp. Known projects count, too: they also fill the page. */
function arrivals({ rate, now }: PageNeed, passed: number | undefined, longestMs: number): number {
  const since = passed === undefined ? now : timestampToInstant(passed);
  const stretch = Math.min(Math.max(0, now - since), longestMs) / SECOND;
  return rate * stretch * SPARE + SPARE_PROJECTS;
}

function expected(need: PageNeed): number {
  const { request } = need;
  if (need.ignoresLatest && request.kind !== 'backfill') return MIN_PROJECTS_PAGE_SIZE;
  switch (request.kind) {
    case 'top':
      return Math.max(
        need.room + SPARE_PROJECTS,
        arrivals(need, request.latestPublishedTs, LONGEST_STRETCH_MS),
      );
    case 'verdicts':
      // The project itself is at the far end, and the known ones before it cost nothing.
      return arrivals(need, request.latestPublishedTs, Number.POSITIVE_INFINITY);
    case 'gap':
      return MAX_PROJECTS_PAGE_SIZE;
    case 'backfill':
      return need.backfillLeft;
  }
}

/**
 * How many projects the next page of newest ones must request to reach as far back as this one should have.
 * After a burst the estimated rate is too low, and known projects alone would fill the page. 0: unknown.
 */
export function estimateNextPageSize(request: NewestRequest, page: FetchedPage, limit: number): number {
  const floor = timestampToInstant(request.latestPublishedTs);
  if (page.items.some(({ publishedAt = floor }) => publishedAt < floor)) return 0;
  const { length } = page.items;
  const isFull = page.isLast !== true && length + page.unreadable >= limit;
  return isFull ? 2 * limit : length;
}

/**
 * The `limit` to reserve credits for, 10 to 100. It includes leftover credits that couldn't buy another page:
 * only new projects are charged, and the leftover would stay unused.
 */
export function decidePollPageSize(need: PageNeed): number {
  const wanted = Math.min(
    Math.max(Math.ceil(expected(need)), MIN_PROJECTS_PAGE_SIZE),
    MAX_PROJECTS_PAGE_SIZE,
  );
  const { available } = need;
  const rest = available - wanted;
  return rest > 0 && rest < MIN_PROJECTS_PAGE_SIZE ? Math.min(available, MAX_PROJECTS_PAGE_SIZE) : wanted;
}
