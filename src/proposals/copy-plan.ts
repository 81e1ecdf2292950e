/**
 * Plans how a profile's list of proposals is copied page by page while new ones shift the pages. Pure.
 *
 * A run is a part of the list that is stored without gaps. The first run begins where the list begins, and
 * the next page is the one after it. Its end is a position in the list, which moves by the growth of the
 * server's total. A page belongs to a run when they share a proposal, or when it begins where the run ends
 * and nothing has moved meanwhile. Newest page and copy work alike: after a long absence the newest page
 * begins its own run, and the copy fills the gap from there.
 *
 * A server that lists the oldest first shifts nothing: one run grows at its end.
 */
import type { Instant } from '../clock.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { CopiedProposalRange } from '../profiles/records.ts';

export interface ProposalPageFacts {
  /** From 1. */
  readonly page: number;
  /** Items of a full page. */
  readonly size: number;
  /** Received items, including unreadable ones. */
  readonly itemCount: number;
  /** Sort keys of the page's proposals, in the server's order. */
  readonly sortKeys: readonly ProposalSortKey[];
  /** Sort keys of the proposals that were already stored. */
  readonly knownSortKeys: readonly ProposalSortKey[];
  /** The server's own numbers; missing if it sent none. */
  readonly total?: number;
  readonly pages?: number;
  readonly ascending: boolean;
}

type Total = number | undefined;

/** Whether the whole list is stored, as far as its pages show. */
export function isProposalCopyComplete([first]: readonly CopiedProposalRange[]): boolean {
  return first?.atEnd === true && first.isFloating === undefined;
}

/** Whether the start of the list is unknown: the newest page comes next. */
export function isNewestPageMissing([first]: readonly CopiedProposalRange[]): boolean {
  return first === undefined || first.isFloating === true;
}

/** How many proposals have arrived before a run since its position was recorded. */
function shiftOf(run: CopiedProposalRange, total: Total): number {
  return total === undefined || run.total === undefined ? 0 : total - run.total;
}

/** The page that continues the copy; undefined when nothing is missing after the first run. */
export function decideNextCopyPage(
  runs: readonly CopiedProposalRange[],
  { size, total, ascending }: { readonly size: number; readonly total?: number; readonly ascending: boolean },
): number | undefined {
  const first = runs[0];
  if (!first || isNewestPageMissing(runs)) return 1;
  if (first.atEnd) return undefined;
  const shift = ascending ? 0 : shiftOf(first, total);
  // If the list has moved, only an already stored proposal proves that the page continues the run.
  const end = first.end + (shift === 0 ? 0 : shift - 1);
  return Math.max(1, Math.floor(end / size) + 1);
}

export function computeNewestPageNumber(
  runs: readonly CopiedProposalRange[],
  { size, ascending }: { readonly size: number; readonly ascending: boolean },
): number {
  return ascending ? Math.max(1, Math.ceil((runs[0]?.end ?? 0) / size)) : 1;
}

/** The number of pages; undefined when the server doesn't say. */
export function countPages(facts: Pick<ProposalPageFacts, 'total' | 'pages' | 'size'>): Total {
  const { total, pages, size } = facts;
  if (total === undefined) return pages;
  return Math.max(Math.ceil(total / size), pages ?? 0);
}

/**
 * True for a later page that begins with the list's first proposal: the server ignores the page number.
 * Unless just as many have arrived as the pages before it hold.
 */
function startsOver(
  [run]: readonly CopiedProposalRange[],
  { page, size, sortKeys: [first], total }: ProposalPageFacts,
): boolean {
  if (page === 1 || !first || !run || compareProposalSortKeys(first, run.newest) !== 0) return false;
  return shiftOf(run, total) !== (page - 1) * size;
}

/** Whether a page is the last one. If the server doesn't say, only an empty page proves it. */
export function isLastPage(runs: readonly CopiedProposalRange[], facts: ProposalPageFacts): boolean {
  if (facts.itemCount === 0 || startsOver(runs, facts)) return true;
  return facts.page >= (countPages(facts) ?? Number.POSITIVE_INFINITY);
}

/** A full page ends where the next begins, even if fewer items came. */
function endOf(facts: ProposalPageFacts, atEnd: boolean): number {
  return (facts.page - 1) * facts.size + (atEnd ? facts.itemCount : Math.max(facts.itemCount, facts.size));
}

function runOf(facts: ProposalPageFacts, atEnd: boolean): CopiedProposalRange | undefined {
  const timed = facts.sortKeys.filter(([at]) => at > 0);
  // A proposal without a time would extend the run back to the beginning of time.
  const sorted = [...(timed.length > 0 ? timed : facts.sortKeys)].sort(compareProposalSortKeys);
  const [oldest, newest] = [sorted[0], sorted.at(-1)];
  if (!oldest || !newest) return undefined;
  return { newest: [...newest], oldest: [...oldest], end: endOf(facts, atEnd), total: facts.total, atEnd };
}

function isWithin(run: CopiedProposalRange, place: ProposalSortKey): boolean {
  return compareProposalSortKeys(place, run.oldest) >= 0 && compareProposalSortKeys(place, run.newest) <= 0;
}

/** Whether a page begins where the first run ends, as far as it is certain that nothing has moved between. */
function adjoins(run: CopiedProposalRange, facts: ProposalPageFacts): boolean {
  if (facts.page === 1 || (facts.page - 1) * facts.size > run.end) return false;
  return facts.total === undefined || run.total === undefined || facts.total === run.total;
}

function join(page: CopiedProposalRange, run: CopiedProposalRange, facts: ProposalPageFacts) {
  const goesDeeper = compareProposalSortKeys(run.oldest, page.oldest) < 0;
  return {
    newest: compareProposalSortKeys(run.newest, page.newest) > 0 ? run.newest : page.newest,
    oldest: goesDeeper ? run.oldest : page.oldest,
    end: goesDeeper ? Math.max(run.end + shiftOf(run, facts.total), page.end) : page.end,
    total: facts.total,
    atEnd: page.atEnd || run.atEnd,
  };
}

/** Handles an empty page: the list ends before it. A list that seems to have vanished is not believed. */
function recordNothing(runs: readonly CopiedProposalRange[], facts: ProposalPageFacts, atEnd: boolean) {
  const [first, ...others] = runs;
  if (!first) {
    const none: [number, number] = [0, 0];
    return [{ newest: none, oldest: none, end: endOf(facts, atEnd), total: facts.total, atEnd }];
  }
  if (facts.page === 1) return [...runs];
  if (atEnd) return [{ ...first, atEnd }];
  const end = Math.max(first.end + shiftOf(first, facts.total), endOf(facts, atEnd));
  return [{ ...first, end, total: facts.total ?? first.total }, ...others];
}

/** Anything after a run that reaches the end of the list no longer exists. */
function sorted(runs: readonly CopiedProposalRange[]): CopiedProposalRange[] {
  const newestFirst = [...runs].sort((a, b) => compareProposalSortKeys(b.newest, a.newest));
  const [first] = newestFirst;
  return first?.atEnd ? [first] : newestFirst;
}

function recordDescending(runs: readonly CopiedProposalRange[], facts: ProposalPageFacts) {
  const atEnd = isLastPage(runs, facts);
  const page = runOf(facts, atEnd);
  if (!page) return recordNothing(runs, facts, atEnd);
  const isJoined = (run: CopiedProposalRange, index: number) =>
    facts.knownSortKeys.some((place) => isWithin(run, place)) || (index === 0 && adjoins(run, facts));
  const joined = runs.filter(isJoined);
  const apart = runs.filter((run) => !joined.includes(run));
  const whole = joined.reduce((grown, run) => join(grown, run, facts), page);
  const [first] = runs;
  if (facts.page === 1 || !first || joined.includes(first)) return sorted([whole, ...apart]);
  // Newer than everything stored: so much has arrived that the list begins pages before this one.
  if (compareProposalSortKeys(whole.newest, first.newest) > 0)
    return sorted([{ ...whole, isFloating: true }, ...apart]);
  // Beyond the end of the run: something other than new proposals moved the list, so go one page back.
  const end = Math.max(0, (facts.page - 1) * facts.size - 1);
  const nearer = { ...first, end, total: facts.total ?? first.total };
  return sorted([whole, ...apart.map((run) => (run === first ? nearer : run))]);
}

function recordAscending(runs: readonly CopiedProposalRange[], facts: ProposalPageFacts) {
  const [before] = runs;
  if ((facts.page - 1) * facts.size > (before?.end ?? 0)) return [...runs];
  const isLast = isLastPage(runs, facts);
  const page = runOf(facts, isLast);
  const end = Math.max(before?.end ?? 0, endOf(facts, isLast));
  const atEnd = isLast || (facts.total !== undefined && end >= facts.total);
  if (!page) return before ? [{ ...before, end, atEnd }] : recordNothing(runs, facts, isLast);
  const grown = before ? join(page, before, facts) : page;
  return [{ ...grown, end, total: facts.total ?? grown.total, atEnd }];
}

export function mergePageIntoRanges(
  runs: readonly CopiedProposalRange[],
  facts: ProposalPageFacts,
): CopiedProposalRange[] {
  return facts.ascending ? recordAscending(runs, facts) : recordDescending(runs, facts);
}

/** Whether the server lists the oldest first; undefined when the page doesn't show it. */
export function detectAscendingOrder(places: readonly ProposalSortKey[]): boolean | undefined {
  const timed = places.filter(([at]) => at > 0);
  const [first, last] = [timed[0]?.[0] ?? 0, timed.at(-1)?.[0] ?? 0];
  return first === last ? undefined : first < last;
}

/**
 * The server's size of a full page.
 * @param asked the `limit` of the request
 * @param before the size found earlier
 */
export function inferServerPageSize(
  asked: number,
  facts: { readonly slots: number; readonly limit?: number; readonly total?: number; readonly page: number },
  before: number | undefined,
): number {
  const { slots, limit, total, page } = facts;
  if (limit !== undefined && limit >= 1 && limit <= asked) return limit;
  const isShort = page === 1 && slots > 0 && slots < asked;
  if (isShort && total !== undefined && total > slots) return slots;
  // The server doesn't say whether more would have come: use the most that ever came on a page that wasn't
  // full.
  if (isShort && total === undefined)
    return before === undefined || before >= asked ? slots : Math.max(slots, before);
  return Math.max(1, before ?? asked);
}

/** Submission time, or 0 if unknown. The id orders proposals of the same moment. */
export type ProposalSortKey = readonly [submittedAt: Instant, id: number];

export function toProposalSortKey(it: Pick<Proposal, 'submittedAt' | 'id'>): ProposalSortKey {
  return [it.submittedAt ?? 0, it.id];
}

/** Positive when `a` is newer. */
export function compareProposalSortKeys(a: ProposalSortKey, b: ProposalSortKey): number {
  return a[0] - b[0] || a[1] - b[1];
}
