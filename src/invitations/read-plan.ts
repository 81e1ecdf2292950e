/** Decides the next read and its time. Pure. */
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import { getFeedRetryTime } from '../feed/failure-rules.ts';
import type { InvitationSource, InvitationSourceState } from './sources.ts';

const NEWEST_EVERY_MS = 2 * MINUTE;
const SWEEP_EVERY_MS = DAY;
/** A stored time further ahead comes from a clock that was wrong. */
const AHEAD_MS = SECOND;

export interface InvitationReadTask {
  readonly source: InvitationSource;
  /** newest: the newest page, and on until known ones · sweep: the next page of the last 60 days. */
  readonly kind: 'newest' | 'sweep';
  readonly at: Instant;
}

/** The next time of a periodic read. */
function again(last: Instant, everyMs: number, now: Instant): Instant {
  return last > now + AHEAD_MS ? now : last + everyMs;
}

/** @param sweepsFrom no sweep page before this, so that sweeps don't block other reads */
function tasksOf(
  { source, sync, feeds }: InvitationSourceState,
  now: Instant,
  sweepsFrom: Instant,
): readonly InvitationReadTask[] {
  const { readAt, sweptAt, sweepPage, trouble } = sync;
  if (trouble) return [{ source, kind: 'newest', at: getFeedRetryTime(trouble, now) }];
  const begins = feeds.some(({ firstReadAt }) => firstReadAt === undefined);
  if (readAt === undefined || begins) return [{ source, kind: 'newest', at: now }];
  const sweep = sweepPage === undefined ? again(sweptAt ?? readAt, SWEEP_EVERY_MS, now) : now;
  return [
    { source, kind: 'newest', at: again(readAt, NEWEST_EVERY_MS, now) },
    { source, kind: 'sweep', at: Math.max(sweep, sweepsFrom) },
  ];
}

/**
 * The read that is due first; undefined if no source is followed.
 * @param notBefore the earliest time for a source, even if it is due before
 */
export function findNextReadTask(
  states: readonly InvitationSourceState[],
  now: Instant,
  pauses: { readonly notBefore: (source: InvitationSource) => Instant; readonly sweepsFrom: Instant },
): InvitationReadTask | undefined {
  let first: InvitationReadTask | undefined;
  for (const state of states) {
    for (const task of tasksOf(state, now, pauses.sweepsFrom)) {
      const at = Math.max(task.at, pauses.notBefore(task.source));
      if (!first || at < first.at) first = { ...task, at };
    }
  }
  return first;
}
