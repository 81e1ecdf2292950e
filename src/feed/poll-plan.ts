/** Decides which filter to read next, and for what. Pure; looks at each filter once. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { FilterId } from '../ids.ts';
import { getNextReadTime } from './read-interval.ts';

/** What to read: the newest projects, older unread ones (a gap or a backfill), or due verdicts. */
export type PollKind = 'top' | 'older' | 'verdicts';

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
  /** Set after a failure or without budget: not before this time. */
  readonly notBefore?: Instant;
}

export interface PollChoice {
  readonly filter: FilterId;
  readonly work: PollKind;
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
const VERDICTS_WEIGHT = 0.25;
const FIRST = 1e15;
const OVERDUE = 1e12;

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
  const top: Bid = { work: 'top', score: scoreOfTop(candidate, now, longestMs), dueAt };
  const bids = [top];
  if (olderSince !== undefined) {
    const age = Math.max(1, (now - olderSince) / SECOND);
    const score = OLDER_WEIGHT * age;
    // Each continued page delays the newest projects by the pause. If those are worth more, the page waits.
    const goesOn = !candidate.olderBegins && score >= top.score;
    bids.push({ work: 'older', score, dueAt: goesOn ? 0 : dueAt });
  }
  if (verdictsDueAt !== undefined) {
    const score = (VERDICTS_WEIGHT * Math.max(0, now - verdictsDueAt)) / SECOND;
    bids.push({ work: 'verdicts', score, dueAt: Math.max(dueAt, verdictsDueAt) });
  }
  return bids;
}

/**
 * Chooses the read with the highest score that may start now. A filter that waited `longestMs` goes first.
 */
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
    ...omitUndefined({ lookAgainAt }),
  };
}
