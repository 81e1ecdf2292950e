/**
 * How a profile's list of proposals is copied page by page while new ones push the pages along. Pure.
 *
 * What is held without a gap is a run. The first run begins where the list begins, and the next page is the one behind it:
 * its end is known as a number of places in the list, and moves by what the server's total has grown since. A page belongs
 * to a run when they share a proposal, or when it begins where the run ends and nothing has moved meanwhile. Newest page
 * and copy are the same work: after a long absence the newest page begins a run of its own, and the gap is filled from there.
 *
 * A server that lists the oldest first moves nothing: there one run grows at its end.
 */
import type { CopyRun } from '../profiles/records.ts';
import { comparePlaces, type Place } from './mirror-places.ts';

/** One page as it came. */
export interface PageFacts {
  /** From 1. */
  readonly page: number;
  /** Places of a full page. */
  readonly size: number;
  /** Items that came, also those that could not be read. */
  readonly slots: number;
  /** Where its proposals stand, in the server's order. */
  readonly places: readonly Place[];
  /** Where those stood that were held before. */
  readonly known: readonly Place[];
  /** In the server's words; missing where it gave none. */
  readonly total?: number;
  readonly pages?: number;
  readonly ascending: boolean;
}

type Total = number | undefined;

/** Whether all of the list is held, as far as its pages tell. */
export function isWhole([first]: readonly CopyRun[]): boolean {
  return first?.atEnd === true && first.isFloating === undefined;
}

/** Whether it is unknown how the list begins: the newest page comes next. */
export function lacksNewest([first]: readonly CopyRun[]): boolean {
  return first === undefined || first.isFloating === true;
}

/** What has come before a run since it was placed. */
function shiftOf(run: CopyRun, total: Total): number {
  return total === undefined || run.total === undefined ? 0 : total - run.total;
}

/** The page that goes on with the copy; undefined when nothing is missing behind the first run. */
export function nextPage(
  runs: readonly CopyRun[],
  { size, total, ascending }: { readonly size: number; readonly total?: number; readonly ascending: boolean },
): number | undefined {
  const first = runs[0];
  if (!first || lacksNewest(runs)) return 1;
  if (first.atEnd) return undefined;
  const shift = ascending ? 0 : shiftOf(first, total);
  // Where the list has moved, only a proposal that is known proves that the page goes on where the run ends.
  const end = first.end + (shift === 0 ? 0 : shift - 1);
  return Math.max(1, Math.floor(end / size) + 1);
}

/** The page where new proposals show. */
export function newestPage(
  runs: readonly CopyRun[],
  { size, ascending }: { readonly size: number; readonly ascending: boolean },
): number {
  return ascending ? Math.max(1, Math.ceil((runs[0]?.end ?? 0) / size)) : 1;
}

/** How many pages there are; undefined when the server does not tell. */
export function pagesOf({ total, pages, size }: Pick<PageFacts, 'total' | 'pages' | 'size'>): Total {
  if (total === undefined) return pages;
  return Math.max(Math.ceil(total / size), pages ?? 0);
}

/** A later page that begins with the first proposal of all: the server does not turn pages. */
function startsOver(runs: readonly CopyRun[], { page, places }: PageFacts): boolean {
  const [first, top] = [places[0], runs[0]?.newest];
  return page > 1 && first !== undefined && top !== undefined && comparePlaces(first, top) === 0;
}

/** Whether nothing comes behind a page. Without a word of the server's only an empty page proves it. */
export function isLastPage(runs: readonly CopyRun[], facts: PageFacts): boolean {
  if (facts.slots === 0 || startsOver(runs, facts)) return true;
  return facts.page >= (pagesOf(facts) ?? Number.POSITIVE_INFINITY);
}

/** A full page ends where the next begins, however few items came. */
function endOf(facts: PageFacts, atEnd: boolean): number {
  return (facts.page - 1) * facts.size + (atEnd ? facts.slots : Math.max(facts.slots, facts.size));
}

function withTotal(total: Total): { readonly total?: number } {
  return total === undefined ? {} : { total };
}

function runOf(facts: PageFacts, atEnd: boolean): CopyRun | undefined {
  const timed = facts.places.filter(([at]) => at > 0);
  // One without a time would stretch the run down to the beginning of time.
  const sorted = [...(timed.length > 0 ? timed : facts.places)].sort(comparePlaces);
  const [oldest, newest] = [sorted[0], sorted.at(-1)];
  if (!oldest || !newest) return undefined;
  return {
    newest: [...newest],
    oldest: [...oldest],
    end: endOf(facts, atEnd),
    ...withTotal(facts.total),
    atEnd,
  };
}

function isWithin(run: CopyRun, place: Place): boolean {
  return comparePlaces(place, run.oldest) >= 0 && comparePlaces(place, run.newest) <= 0;
}

/** Whether a page begins where the first run ends, as far as it is certain that nothing has moved in between. */
function adjoins(run: CopyRun, facts: PageFacts): boolean {
  if (facts.page === 1 || (facts.page - 1) * facts.size > run.end) return false;
  return facts.total === undefined || run.total === undefined || facts.total === run.total;
}

/** A page and a run without a gap between them. */
function join(page: CopyRun, run: CopyRun, facts: PageFacts): CopyRun {
  const goesDeeper = comparePlaces(run.oldest, page.oldest) < 0;
  return {
    newest: comparePlaces(run.newest, page.newest) > 0 ? run.newest : page.newest,
    oldest: goesDeeper ? run.oldest : page.oldest,
    end: goesDeeper ? Math.max(run.end + shiftOf(run, facts.total), page.end) : page.end,
    ...withTotal(facts.total),
    atEnd: page.atEnd || run.atEnd,
  };
}

/** A page that shows nothing: the list ends before it. A list that seems to have vanished is not believed. */
function recordNothing(runs: readonly CopyRun[], facts: PageFacts, atEnd: boolean): CopyRun[] {
  const [first, ...others] = runs;
  if (!first) {
    const none: [number, number] = [0, 0];
    return [{ newest: none, oldest: none, end: endOf(facts, atEnd), ...withTotal(facts.total), atEnd }];
  }
  if (facts.page === 1) return [...runs];
  if (atEnd) return [{ ...first, atEnd }];
  const end = Math.max(first.end + shiftOf(first, facts.total), endOf(facts, atEnd));
  return [{ ...first, end, ...withTotal(facts.total) }, ...others];
}

/** What is behind a run that reaches the end of the list is no longer there. */
function sorted(runs: readonly CopyRun[]): CopyRun[] {
  const newestFirst = [...runs].sort((a, b) => comparePlaces(b.newest, a.newest));
  const [first] = newestFirst;
  return first?.atEnd ? [first] : newestFirst;
}

function recordDescending(runs: readonly CopyRun[], facts: PageFacts): CopyRun[] {
  const atEnd = isLastPage(runs, facts);
  const page = runOf(facts, atEnd);
  if (!page) return recordNothing(runs, facts, atEnd);
  const isJoined = (run: CopyRun, index: number) =>
    facts.known.some((place) => isWithin(run, place)) || (index === 0 && adjoins(run, facts));
  const joined = runs.filter(isJoined);
  const apart = runs.filter((run) => !joined.includes(run));
  const whole = joined.reduce((grown, run) => join(grown, run, facts), page);
  const [first] = runs;
  if (facts.page === 1 || !first || joined.includes(first)) return sorted([whole, ...apart]);
  // Newer than all that is held: so much has come that the list begins pages before this one.
  if (comparePlaces(whole.newest, first.newest) > 0)
    return sorted([{ ...whole, isFloating: true }, ...apart]);
  // Farther down than the run reaches: something else than new proposals has moved the list. One page back, then.
  const end = Math.max(0, (facts.page - 1) * facts.size - 1);
  const nearer = { ...first, end, ...withTotal(facts.total) };
  return sorted([whole, ...apart.map((run) => (run === first ? nearer : run))]);
}

function recordAscending(runs: readonly CopyRun[], facts: PageFacts): CopyRun[] {
  const [before] = runs;
  if ((facts.page - 1) * facts.size > (before?.end ?? 0)) return [...runs];
  const isLast = isLastPage(runs, facts);
  const page = runOf(facts, isLast);
  const end = Math.max(before?.end ?? 0, endOf(facts, isLast));
  const atEnd = isLast || (facts.total !== undefined && end >= facts.total);
  if (!page) return before ? [{ ...before, end, atEnd }] : recordNothing(runs, facts, isLast);
  const grown = before ? join(page, before, facts) : page;
  return [{ ...grown, end, ...withTotal(facts.total), atEnd }];
}

/** The runs after a page was read and kept. */
export function recordPage(runs: readonly CopyRun[], facts: PageFacts): CopyRun[] {
  return facts.ascending ? recordAscending(runs, facts) : recordDescending(runs, facts);
}

/** Whether the server lists the oldest first; undefined when the page does not show it. */
export function seemsAscending(places: readonly Place[]): boolean | undefined {
  const timed = places.filter(([at]) => at > 0);
  const [first, last] = [timed[0]?.[0] ?? 0, timed.at(-1)?.[0] ?? 0];
  return first === last ? undefined : first < last;
}

/**
 * How many places a full page has.
 * @param asked the `limit` of the request
 * @param before what was found earlier
 */
export function pageSize(
  asked: number,
  {
    slots,
    limit,
    total,
    page,
  }: { readonly slots: number; readonly limit?: number; readonly total?: number; readonly page: number },
  before: number | undefined,
): number {
  if (limit !== undefined && limit >= 1 && limit <= asked) return limit;
  const isShort = page === 1 && slots > 0 && slots < asked;
  if (isShort && total !== undefined && total > slots) return slots;
  // Nobody says whether more would have come: the most that ever came on a page that was not full.
  if (isShort && total === undefined)
    return before === undefined || before >= asked ? slots : Math.max(slots, before);
  return Math.max(1, before ?? asked);
}
