/** How many projects a page asks for. Pure. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { LARGEST_PAGE, SMALLEST_PAGE } from '../credits/book.ts';
import type { ReadRequest } from './read-filter.ts';
import { instantOf } from './timestamps.ts';

interface PageNeed {
  readonly request: ReadRequest;
  /** Projects a second, as learned. */
  readonly rate: number;
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

function expected(need: PageNeed): number {
  const { request, rate, now } = need;
  if (need.ignoresLatest && request.kind !== 'backfill') return SMALLEST_PAGE;
  switch (request.kind) {
    case 'top':
    case 'verdicts': {
      // What came since the place that is passed, known projects included: they fill the page, too.
      const since = request.latestPublishedTs === undefined ? now : instantOf(request.latestPublishedTs);
      const stretch = Math.min(Math.max(0, now - since), LONGEST_STRETCH_MS) / SECOND;
      return rate * stretch * SPARE + SPARE_PROJECTS;
    }
    case 'gap':
      return LARGEST_PAGE;
    case 'backfill':
      return need.backfillLeft;
  }
}

/**
 * The `limit` to reserve for, 10 to 100. A rest that no page could be bought with is taken along: only new projects
 * are charged, and else those credits would lie idle.
 */
export function pageSize(need: PageNeed): number {
  const wanted = Math.min(Math.max(Math.ceil(expected(need)), SMALLEST_PAGE), LARGEST_PAGE);
  const { available } = need;
  const rest = available - wanted;
  return rest > 0 && rest < SMALLEST_PAGE ? Math.min(available, LARGEST_PAGE) : wanted;
}
