/**
 * The sweep, page by page: once a day the proposals of the last 60 days are read again, because outcomes change later. It
 * goes on to the end of the list when something is missing. Pure.
 */
import { DAY, type Instant } from '../clock.ts';
import type { CopyRun } from '../profiles/records.ts';
import { isLastPage, type PageFacts, pagesOf } from './copy-plan.ts';

export const SWEPT_DAYS = 60;

export function firstSweepPage({
  size,
  total,
  ascending,
}: {
  readonly size: number;
  readonly total?: number;
  readonly ascending: boolean;
}): number {
  return ascending ? Math.max(1, Math.ceil((total ?? 0) / size)) : 1;
}

/**
 * The page that comes next; undefined when the sweep is done.
 * @param isAll to the end, however old
 * @param found how many of the page's proposals were not held before
 */
export function nextSweepPage(
  runs: readonly CopyRun[],
  facts: PageFacts,
  { isAll, found, missing }: { readonly isAll: boolean; readonly found: number; readonly missing: number },
  now: Instant,
): number | undefined {
  const { page, places, slots, ascending } = facts;
  const times = places.map(([at]) => at).filter((at) => at > 0);
  const reach = now - SWEPT_DAYS * DAY;
  const isOld = !isAll && times.length > 0 && Math.min(...times) < reach;
  if (isOld) return undefined;
  if (ascending) return page > 1 ? page - 1 : undefined;
  if (slots === 0) return undefined;
  if (!isLastPage(runs, facts)) return page + 1;
  // What the server says of its pages need not be true while something is missing and pages still bring something.
  const isDoubtful = isAll && found > 0 && missing > 0 && pagesOf(facts) !== undefined;
  return isDoubtful ? page + 1 : undefined;
}
