/** Which reading is next, and when. Pure. */
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import { getRetryTime } from '../feed/failure-rules.ts';
import type { InvitationSource, InvitationSourceState } from './sources.ts';

const NEWEST_EVERY_MS = 2 * MINUTE;
const SWEEP_EVERY_MS = DAY;
/** A time on record that is farther ahead was written by a clock that went wrong. */
const AHEAD_MS = SECOND;

export interface InvitationReadTask {
  readonly source: InvitationSource;
  /** newest: the newest page, and on to what is known · sweep: the next page of the last 60 days. */
  readonly kind: 'newest' | 'sweep';
  readonly at: Instant;
}

/** A reading that is to be done every so often. */
function again(last: Instant, everyMs: number, now: Instant): Instant {
  return last > now + AHEAD_MS ? now : last + everyMs;
}

/** @param sweepsFrom no page of a sweep before then, so that sweeps hold up nothing */
function tasksOf(
  { source, sync, feeds }: InvitationSourceState,
  now: Instant,
  sweepsFrom: Instant,
): readonly InvitationReadTask[] {
  const { readAt, sweptAt, sweepPage, trouble } = sync;
  if (trouble) return [{ source, kind: 'newest', at: getRetryTime(trouble, now) }];
  const begins = feeds.some(({ firstReadAt }) => firstReadAt === undefined);
  if (readAt === undefined || begins) return [{ source, kind: 'newest', at: now }];
  const sweep = sweepPage === undefined ? again(sweptAt ?? readAt, SWEEP_EVERY_MS, now) : now;
  return [
    { source, kind: 'newest', at: again(readAt, NEWEST_EVERY_MS, now) },
    { source, kind: 'sweep', at: Math.max(sweep, sweepsFrom) },
  ];
}

/**
 * The reading that is due first; undefined when nothing is followed.
 * @param notBefore when a source may be read at the earliest, whatever its records say
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
