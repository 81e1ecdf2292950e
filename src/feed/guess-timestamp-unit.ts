/**
 * Finds out the server's timestamp unit without buying past projects. While it is unknown, a filter's first
 * page is requested so that a wrong guess finds nothing, which is free. Pure. Why:
 * docs/decisions/0003-feed.md.
 */
import { DAY, type Instant } from '../clock.ts';
import type { FetchedPage } from './page-continuation.ts';
import type { NewestProjectsRequest } from './read-filter.ts';
import {
  getInclusiveStartTimestamp,
  inferTimestampUnit,
  instantToTimestamp,
  type TimestampUnitGuess,
} from './timestamps.ts';

/** The first guess shows the unit at once if empty pages have timestamps. Later ones favor the likely one. */
const ROUND = 12;

/** @param tried number of guesses that found nothing */
export function chooseTimestampUnitGuess(tried: number): TimestampUnitGuess {
  const place = tried % ROUND;
  if (tried === 0 || place === ROUND / 2) return 'milliseconds';
  return place === ROUND - 1 ? 'seconds-rising' : 'seconds';
}

/**
 * After a guess that found nothing. A hint says that there is a project, so the guess was probably wrong: the
 * next one tries something else.
 */
export function countTimestampUnitGuess(tried: number, wasHinted: boolean): number {
  const guess = chooseTimestampUnitGuess(tried);
  let next = tried + 1;
  while (wasHinted && chooseTimestampUnitGuess(next) === guess) next++;
  return next;
}

/** Requests projects published since `startsAt`. @param tried number of guesses that found nothing */
export function buildTimestampUnitProbe(
  tried: number,
  startsAt: Instant,
  now: Instant,
): NewestProjectsRequest {
  const guess = chooseTimestampUnitGuess(tried);
  const earlier = Array.from({ length: Math.min(tried, ROUND) }, (_, back) =>
    chooseTimestampUnitGuess(tried - 1 - back),
  );
  const start = getInclusiveStartTimestamp(startsAt, guess === 'milliseconds' ? 1_000 : 1);
  const cursors: Partial<Record<typeof guess, number>> = {
    seconds: instantToTimestamp(now + DAY, 1),
    'seconds-rising': start,
  };
  return {
    kind: 'top',
    latestPublishedTs: start,
    until: start,
    // What a repeated guess finds is new.
    first: !earlier.includes(guess),
    guess,
    nextCursor: cursors[guess],
  };
}

export function isPageEmpty({ items, unreadable }: FetchedPage): boolean {
  return items.length === 0 && unreadable === 0;
}

/**
 * The unit that the response to a guess proves. On an empty page, the server may only echo the request.
 * @returns undefined if it proves none
 */
export function detectTimestampUnitFromProbe(request: NewestProjectsRequest, page: FetchedPage) {
  const passed = [request.latestPublishedTs, request.nextCursor];
  const shown = [page.latestPublishedTs, page.nextCursor].find(
    (ts) => ts !== undefined && ts > 0 && !(isPageEmpty(page) && passed.includes(ts)),
  );
  if (shown !== undefined) return inferTimestampUnit(shown);
  return isPageEmpty(page) ? undefined : inferTimestampUnit(request.latestPublishedTs);
}
