/**
 * Plans the daily sweep page by page: it reads the proposals of the last 60 days again, because outcomes
 * change later. It continues to the end of the list when something is missing. Pure.
 */
import { DAY, type Instant } from '../clock.ts';
import type { CopiedProposalRange } from '../profiles/records.ts';
import { countPages, isLastPage, type ProposalPageFacts } from './copy-plan.ts';

export const PROPOSAL_SWEEP_DAYS = 60;

export function computeFirstSweepPage({
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
 * The next page; undefined when the sweep is done.
 * @param isAll whether to go to the end, however old
 * @param found how many of the page's proposals weren't stored before
 */
export function decideNextSweepPage(
  runs: readonly CopiedProposalRange[],
  facts: ProposalPageFacts,
  { isAll, found, missing }: { readonly isAll: boolean; readonly found: number; readonly missing: number },
  now: Instant,
): number | undefined {
  const { page, sortKeys, itemCount, ascending } = facts;
  const times = sortKeys.map(([at]) => at).filter((at) => at > 0);
  const reach = now - PROPOSAL_SWEEP_DAYS * DAY;
  const isOld = !isAll && times.length > 0 && Math.min(...times) < reach;
  if (isOld) return undefined;
  if (ascending) return page > 1 ? page - 1 : undefined;
  if (itemCount === 0) return undefined;
  if (!isLastPage(runs, facts)) return page + 1;
  // The server's page count may be wrong while proposals are missing and pages still bring new ones.
  const isDoubtful = isAll && found > 0 && missing > 0 && countPages(facts) !== undefined;
  return isDoubtful ? page + 1 : undefined;
}
