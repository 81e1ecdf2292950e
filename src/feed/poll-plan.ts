/** Decides which filter to read next, for what, and how many projects to request. Pure. */
import { HOUR, type Instant, MINUTE, SECOND } from '../clock.ts';
import { MAX_PROJECTS_PAGE_SIZE, MIN_PROJECTS_PAGE_SIZE } from '../credits/credits.ts';
import type { FilterId } from '../ids.ts';
import type { FetchedPage } from './page-continuation.ts';
import type { FilterReadRequest, NewestProjectsRequest } from './read-filter.ts';
import type { FilterState } from './records.ts';
import { timestampToInstant } from './timestamps.ts';

/** What to read: the newest projects, older unread ones (a gap or a backfill), late ones, or due verdicts. */
export type PollKind = 'top' | 'older' | 'late' | 'verdicts';

export interface PollCandidate {
  readonly filter: FilterId;
  /** Estimated projects per second. */
  readonly rate: number;
  /** When its newest projects were last requested; missing: never. */
  readonly lastTopAt?: Instant;
  /** When any of its pages was last requested. */
  readonly lastReadAt?: Instant;
  /** Since when older projects are unread. */
  readonly olderSince?: Instant;
  /** The older projects are a backfill, which only its own channel pays for. */
  readonly olderIsBackfill?: boolean;
  /** The older read is a new one, not continued from a cursor. */
  readonly olderBegins?: boolean;
  /** When the next missing verdict is due for a check. */
  readonly verdictsDueAt?: Instant;
  /** When it is due for a check for late projects. */
  readonly lateDueAt?: Instant;
  /** Set after a failure or without budget: not before this time. */
  readonly notBefore?: Instant;
  /** A hint says that it has new projects: the order of that hint. */
  readonly hintOrder?: number;
  /** Hints announce its projects: without one, it is read only now and then. */
  readonly reliesOnHints?: boolean;
}

export interface PollChoice {
  readonly filter: FilterId;
  readonly work: PollKind;
  /** A hint put it before the read with the highest score. */
  readonly becauseOfHint?: true;
}

export interface PollPlan {
  readonly choice?: PollChoice;
  /** When the next read falls due; missing: none is scheduled. */
  readonly lookAgainAt?: Instant;
}

/** A filter that waited this long goes first; that leaves a minute for its read within half an hour. */
const LONGEST_WAIT_MS = 29 * MINUTE;

/**
 * After how long a filter goes first, however few projects it finds. With many filters, it grows to the time
 * of two full rounds: busy filters keep half of the reads.
 * @param readsPerMinute of all filters together
 */
export function computeMaxPollWaitMs(filters: number, readsPerMinute: number): number {
  return Math.max(LONGEST_WAIT_MS, (2 * filters * MINUTE) / readsPerMinute);
}

/**
 * A page of older projects has ten or more, waiting equally long: `number x age` corresponds to `rate x
 * age^2` for arrivals. Half of it, because new projects are worth more.
 */
const OLDER_WEIGHT = 5;
/** Low, because reads of the newest projects also bring new verdicts for a while. */
const CHECKS_WEIGHT = 0.25;
const FIRST = 1e15;
const OVERDUE = 1e12;

/** How often a filter that relies on hints is read without one: finds out whether hints got lost. */
const RELIED_CHECK_MS = 5 * MINUTE;
/** How many reads in a row hints may put before others. */
export const MOST_HINTED_IN_A_ROW = 3;

/** The next value of `hintTurns`: hints that push others back take a turn, other reads give one. */
export function countHintTurns(turns: number, { becauseOfHint }: PollChoice): number {
  return becauseOfHint ? turns - 1 : Math.min(turns + 1, MOST_HINTED_IN_A_ROW);
}

interface Bid {
  readonly work: PollKind;
  readonly score: number;
  readonly dueAt: Instant;
}

function scoreOfTop({ lastTopAt, rate }: PollCandidate, now: Instant, longestMs: number): number {
  // A future time comes from a clock that was wrong, and must not block the filter.
  if (lastTopAt === undefined || lastTopAt > now) return FIRST;
  const ageMs = Math.max(0, now - lastTopAt);
  const age = ageMs / SECOND;
  return ageMs >= longestMs ? OVERDUE + age : rate * age * age;
}

function bidsOf(candidate: PollCandidate, now: Instant, longestMs: number): Bid[] {
  const { olderSince, verdictsDueAt } = candidate;
  const dueAt = getNextReadTime(candidate.lastReadAt ?? candidate.lastTopAt, now);
  const checkAt = Math.max(dueAt, getNextCheckTime(candidate, now));
  const top: Bid = { work: 'top', score: scoreOfTop(candidate, now, longestMs), dueAt: checkAt };
  const bids = [top];
  if (olderSince !== undefined) {
    const score = OLDER_WEIGHT * Math.max(1, (now - olderSince) / SECOND);
    // Each continued page delays the newest projects by the pause. If those are worth more, the page waits.
    const goesOn = !candidate.olderBegins && score >= top.score;
    bids.push({ work: 'older', score, dueAt: goesOn ? 0 : dueAt });
  }
  const checks = { verdicts: verdictsDueAt, late: candidate.lateDueAt };
  for (const work of ['verdicts', 'late'] as const) {
    const due = checks[work];
    if (due === undefined) continue;
    const score = (CHECKS_WEIGHT * Math.max(0, now - due)) / SECOND;
    bids.push({ work, score, dueAt: Math.max(dueAt, due) });
  }
  return bids;
}

/** When a filter that relies on hints is read without one; 0: no hints are relied on, or one waits. */
function getNextCheckTime({ reliesOnHints, hintOrder, lastTopAt }: PollCandidate, now: Instant): Instant {
  if (!reliesOnHints || hintOrder !== undefined || lastTopAt === undefined || lastTopAt > now) return 0;
  return lastTopAt + RELIED_CHECK_MS;
}

function findHinted(candidates: Iterable<PollCandidate>, now: Instant): PollCandidate | undefined {
  let oldest: PollCandidate | undefined;
  for (const candidate of candidates) {
    const { hintOrder, lastReadAt, lastTopAt, notBefore = 0 } = candidate;
    if (hintOrder === undefined || hintOrder >= (oldest?.hintOrder ?? Number.POSITIVE_INFINITY)) continue;
    if (Math.max(getNextReadTime(lastReadAt ?? lastTopAt, now), notBefore) <= now) oldest = candidate;
  }
  return oldest;
}

/**
 * Chooses the read with the highest score that may start now. A filter that waited `longestMs` goes first. A
 * filter with a hint goes before all others while hints have turns left, so that they take every second read
 * at most, and `MOST_HINTED_IN_A_ROW` more at once.
 * @param hintTurns see `countHintTurns`
 */
export function choosePoll(
  candidates: readonly PollCandidate[],
  now: Instant,
  longestMs: number = LONGEST_WAIT_MS,
  hintTurns = 0,
): PollPlan {
  const { choice, lookAgainAt } = chooseByScore(candidates, now, longestMs);
  const hinted = hintTurns > 0 ? findHinted(candidates, now) : undefined;
  if (!hinted || (choice?.filter === hinted.filter && choice.work === 'top')) return { choice, lookAgainAt };
  return { choice: { filter: hinted.filter, work: 'top', becauseOfHint: true }, lookAgainAt };
}

function chooseByScore(candidates: Iterable<PollCandidate>, now: Instant, longestMs: number): PollPlan {
  let best: (PollChoice & { readonly score: number }) | undefined;
  let lookAgainAt: Instant | undefined;
  for (const candidate of candidates) {
    for (const { work, score, dueAt } of bidsOf(candidate, now, longestMs)) {
      const from = Math.max(dueAt, candidate.notBefore ?? 0);
      if (from > now) lookAgainAt = Math.min(lookAgainAt ?? from, from);
      else if (!best || score > best.score) best = { filter: candidate.filter, work, score };
    }
  }
  return { choice: best && { filter: best.filter, work: best.work }, lookAgainAt };
}

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
  /** The server ignores `latest_published_ts`: it fills spare room with older projects, for credits. */
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
    case 'late':
      return MAX_PROJECTS_PAGE_SIZE;
    case 'backfill':
      return need.backfillLeft;
  }
}

/**
 * How many projects the next page of newest ones must request to reach as far back as this one should have.
 * After a burst the estimated rate is too low, and known projects alone would fill the page. 0: unknown.
 */
export function estimateNextPageSize(request: NewestProjectsRequest, page: FetchedPage, limit: number) {
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

const LEAST_PAUSE_MS = 10 * SECOND;

/**
 * When the next read of a filter may begin, for any purpose. A page continued by cursor belongs to the read
 * that started it and doesn't wait. See docs/decisions/0003-feed.md.
 * @param lastReadAt the last request for one of its pages, by any process
 */
function getNextReadTime(lastReadAt: Instant | undefined, now: Instant): Instant {
  // A future time comes from a clock that was wrong, and must not block the filter.
  return lastReadAt === undefined || lastReadAt > now ? 0 : lastReadAt + LEAST_PAUSE_MS;
}

/** Whether a read at `readAt` covers what is due at `dueAt`: the filter isn't read again before that. */
export function isCoveredByRead(readAt: Instant, dueAt: Instant): boolean {
  return dueAt < readAt + LEAST_PAUSE_MS;
}

type ArrivalRate = Readonly<FilterState['rate']>;

/** 10 per hour, with the weight of 15 minutes of observation: a new filter is polled soon. It adapts fast. */
export const NEW_FILTER_ARRIVAL_RATE: ArrivalRate = { perSecond: 10 / 3_600, seconds: 900 };

/** Older observations fade: a filter that is quiet at night recovers in the morning. */
const MEMORY_SECONDS = (6 * HOUR) / SECOND;

/** The rate after `arrived` more projects; `elapsedSeconds` is 0 if their time was counted already. */
export function updateArrivalRate(rate: ArrivalRate, arrived: number, elapsedSeconds: number): ArrivalRate {
  const watched = rate.seconds + Math.max(0, elapsedSeconds);
  const perSecond = (rate.perSecond * rate.seconds + arrived) / watched;
  return { perSecond, seconds: Math.min(watched, MEMORY_SECONDS) };
}
