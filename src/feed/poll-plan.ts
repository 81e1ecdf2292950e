/** Which filter is read next, and for what. Pure; costs one look at each filter. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { FilterId } from '../ids.ts';
import { getNextReadTime } from './read-interval.ts';

/** What of a filter is read: its newest projects, older ones that wait (a gap, a backfill), or verdicts that are due. */
export type PollKind = 'top' | 'older' | 'verdicts';

export interface PollCandidate {
  readonly filter: FilterId;
  /** Projects a second, as learned. */
  readonly rate: number;
  /** When its newest projects were last asked for; missing: never. */
  readonly lastTopAt?: Instant;
  /** When any page of it was last asked for. */
  readonly lastReadAt?: Instant;
  /** Since when older projects wait to be read. */
  readonly olderSince?: Instant;
  /** What waits is a backfill, which its own channel alone pays for. */
  readonly olderIsBackfill?: boolean;
  /** What waits begins a read of its own: it goes on from no cursor. */
  readonly olderBegins?: boolean;
  /** When the next missing verdict is to be looked for. */
  readonly verdictsDueAt?: Instant;
  /** In trouble, or out of budget: not before. */
  readonly notBefore?: Instant;
}

export interface PollChoice {
  readonly filter: FilterId;
  readonly work: PollKind;
}

export interface PollPlan {
  readonly choice?: PollChoice;
  /** When something falls due that is not now; missing: never by itself. */
  readonly lookAgainAt?: Instant;
}

/** A filter that waited this long goes first; a minute is left for its turn. */
const LONGEST_WAIT_MS = 29 * MINUTE;

/**
 * After how long a filter goes first, however little it finds. Where reading each within half an hour would take more than
 * half of the reads, the limit does not allow it: then it is the time of two rounds of all, and the lively keep their half.
 * @param readsPerMinute of all filters together
 */
export function computeMaxPollWaitMs(filters: number, readsPerMinute: number): number {
  return Math.max(LONGEST_WAIT_MS, (2 * filters * MINUTE) / readsPerMinute);
}

/**
 * A page of older projects holds ten or more, each waiting since: what `rate x age^2` is for arrivals is `number x age`
 * for them. Half of it, because what is fresh is worth more.
 */
const OLDER_WEIGHT = 5;
/** The newest projects are read again for a while anyway, with the verdicts that have come. */
const VERDICTS_WEIGHT = 0.25;
const FIRST = 1e15;
const OVERDUE = 1e12;

interface Bid {
  readonly work: PollKind;
  readonly score: number;
  readonly dueAt: Instant;
}

function scoreOfTop({ lastTopAt, rate }: PollCandidate, now: Instant, longestMs: number): number {
  // A time to come: the clock was wrong then, and must not silence the filter now.
  if (lastTopAt === undefined || lastTopAt > now) return FIRST;
  const ageMs = Math.max(0, now - lastTopAt);
  const age = ageMs / SECOND;
  return ageMs >= longestMs ? OVERDUE + age : rate * age * age;
}

function bidsOf(candidate: PollCandidate, now: Instant, longestMs: number): Bid[] {
  const { olderSince, verdictsDueAt } = candidate;
  const dueAt = getNextReadTime(candidate.lastReadAt ?? candidate.lastTopAt, now);
  const top: Bid = { work: 'top', score: scoreOfTop(candidate, now, longestMs), dueAt };
  const bids = [top];
  if (olderSince !== undefined) {
    const age = Math.max(1, (now - olderSince) / SECOND);
    const score = OLDER_WEIGHT * age;
    // Each page that goes on would put off the newest by the pause; where those are worth more, it waits for them.
    const goesOn = !candidate.olderBegins && score >= top.score;
    bids.push({ work: 'older', score, dueAt: goesOn ? 0 : dueAt });
  }
  if (verdictsDueAt !== undefined) {
    const score = (VERDICTS_WEIGHT * Math.max(0, now - verdictsDueAt)) / SECOND;
    bids.push({ work: 'verdicts', score, dueAt: Math.max(dueAt, verdictsDueAt) });
  }
  return bids;
}

/** The reading with the largest index among those that may begin now; a filter that waited for `longestMs` goes first. */
export function choosePoll(
  candidates: Iterable<PollCandidate>,
  now: Instant,
  longestMs: number = LONGEST_WAIT_MS,
): PollPlan {
  let best: (PollChoice & { readonly score: number }) | undefined;
  let lookAgainAt: Instant | undefined;
  for (const candidate of candidates) {
    for (const { work, score, dueAt } of bidsOf(candidate, now, longestMs)) {
      const from = Math.max(dueAt, candidate.notBefore ?? 0);
      if (from > now) lookAgainAt = Math.min(lookAgainAt ?? from, from);
      else if (!best || score > best.score) best = { filter: candidate.filter, work, score };
    }
  }
  return {
    ...(best ? { choice: { filter: best.filter, work: best.work } } : {}),
    ...(lookAgainAt === undefined ? {} : { lookAgainAt }),
  };
}
