/**
 * The sweep, page by page: once a day the proposals of the last 60 days are read again, because outcomes change later. It
 * goes on to the end of the list when something is missing. Pure.
 */
import { DAY, type Instant } from '../clock.ts';
import type { CopiedRange } from '../profiles/records.ts';
import { countPages, isLastPage, type ProposalPageFacts } from './copy-plan.ts';

export const SWEEP_DAYS = 60;

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
  runs: readonly CopiedRange[],
  facts: ProposalPageFacts,
  { isAll, found, missing }: { readonly isAll: boolean; readonly found: number; readonly missing: number },
  now: Instant,
): number | undefined {
  const { page, sortKeys, itemCount, ascending } = facts;
  const times = sortKeys.map(([at]) => at).filter((at) => at > 0);
  const reach = now - SWEEP_DAYS * DAY;
  const isOld = !isAll && times.length > 0 && Math.min(...times) < reach;
  if (isOld) return undefined;
  if (ascending) return page > 1 ? page - 1 : undefined;
  if (itemCount === 0) return undefined;
  if (!isLastPage(runs, facts)) return page + 1;
  // What the server says of its pages need not be true while something is missing and pages still bring something.
  const isDoubtful = isAll && found > 0 && missing > 0 && countPages(facts) !== undefined;
  return isDoubtful ? page + 1 : undefined;
}
