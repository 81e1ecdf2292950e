/**
 * A profile's sync record: how a page that was read and stored changes it, and the copy's progress as people
 * see it. Pure.
 */
import { type Instant, MINUTE } from '../clock.ts';
import type { ProfileId } from '../ids.ts';
import { backgroundSlotLimit, type GateStatus } from '../marketplace/gate/gate.ts';
import type { ProfileSync } from '../profiles/records.ts';
import { isProposalCopyComplete, mergePageIntoRanges, type ProposalPageFacts } from './copy-plan.ts';
import {
  countMissingProposals,
  decideNextSweepPage,
  getProposalListLayout,
  getSyncRetryTime,
  type SyncStep,
} from './sync-plan.ts';

export interface MirrorProgress {
  readonly profile: ProfileId;
  /** `copying`: the first copy is not complete. */
  readonly state: 'waiting' | 'copying' | 'complete';
  readonly held: number;
  /** The server's last total. */
  readonly total?: number;
  /** At the gate's present pace. */
  readonly leftMs?: number;
  /** When the newest page was last read successfully. */
  readonly readAt?: Instant;
  readonly trouble?: { readonly code: string; readonly since: Instant; readonly retryAt: Instant };
}

type Copy = NonNullable<ProfileSync['copy']>;

interface PageReadResult {
  readonly why: Extract<SyncStep, { kind: 'read' }>['why'];
  readonly facts: ProposalPageFacts;
  /** Proposals of the page that weren't stored for the profile before. */
  readonly found: number;
  /** How many are stored for it now. */
  readonly held: number;
  readonly unreadable: number;
  readonly at: Instant;
}

/** Whether it is the newest page, whatever the reason for reading it. */
function isNewest({ why, facts }: PageReadResult): boolean {
  return why === 'newest' || (why === 'sweep' && facts.page === 1 && !facts.ascending);
}

function recordCopy(sync: ProfileSync, read: PageReadResult): Copy {
  const { facts, held, at } = read;
  const before: Copy = sync.copy ?? { startedAt: at, requests: 0 };
  const { ascending, size, total } = facts;
  // The direction changed: known positions are no longer valid.
  const runs = before.ascending === ascending ? (before.runs ?? []) : [];
  const goesOn = read.why === 'copy' || isNewest(read);
  const isFirst = before.copiedAt === undefined;
  const sinceNewest = isNewest(read) ? 0 : (before.sinceNewest ?? 0) + (read.why === 'copy' ? 1 : 0);
  return {
    ...before,
    total: total ?? before.total,
    size,
    ascending,
    held,
    sinceNewest,
    requests: before.requests + (isFirst ? 1 : 0),
    unreadable: (before.unreadable ?? 0) + (isFirst && read.why !== 'sweep' ? read.unreadable : 0),
    runs: goesOn ? mergePageIntoRanges(runs, facts) : [...runs],
  };
}

function recordSweep(sync: ProfileSync, copy: Copy, read: PageReadResult): ProfileSync {
  const { sweepPage: _page, sweepFound: foundBefore = 0, sweepAll = false, ...rest } = sync;
  const { facts, at } = read;
  const found = foundBefore + read.found;
  const missing = countMissingProposals({ ...sync, copy });
  const isAll = sweepAll || copy.copiedAt === undefined;
  const next = decideNextSweepPage(copy.runs ?? [], facts, { isAll, found: read.found, missing }, at);
  if (next !== undefined) {
    return { ...rest, copy, sweepPage: next, sweepFound: found, sweepAll: isAll ? true : undefined };
  }
  const swept = { ...rest, sweptAt: at };
  if (!isAll) return { ...swept, copy };
  // While the sweep finds proposals, there may be more.
  if (missing > 0 && found > 0) return { ...swept, copy, sweepAll: true };
  return { ...swept, copy: { ...copy, copiedAt: copy.copiedAt ?? at, shortBy: missing } };
}

/**
 * The first copy is complete when the whole list was read and as many proposals are stored as the server
 * counts.
 */
function settleCopy(sync: ProfileSync, read: PageReadResult): ProfileSync {
  const { copy } = sync;
  if (!copy || !isProposalCopyComplete(copy.runs ?? [])) return sync;
  const missing = countMissingProposals(sync);
  if (copy.copiedAt === undefined) {
    if (missing > 0) return sync;
    const { sweepPage: _page, sweepAll: _all, sweepFound: _found, ...rest } = sync;
    return { ...rest, copy: { ...copy, copiedAt: read.at }, sweptAt: read.at };
  }
  if (!isNewest(read) || sync.sweepPage !== undefined) return sync;
  if (missing > 0 && missing !== (copy.shortBy ?? 0)) return { ...sync, sweepAll: true };
  const { sweepAll: _all, ...content } = sync;
  return content;
}

export function applyPageRead(sync: ProfileSync, read: PageReadResult): ProfileSync {
  const copy = recordCopy(sync, read);
  const after = { ...sync, readAt: isNewest(read) ? read.at : sync.readAt, copy };
  return settleCopy(read.why === 'sweep' ? recordSweep(after, copy, read) : after, read);
}

/** Background slots a minute that others leave to the mirror; at least one, since every lane gets turns. */
function pagesPerMinute({ limitPerMinute, used }: GateStatus, ownLastMinute: number): number {
  return Math.max(1, backgroundSlotLimit(limitPerMinute) - Math.max(0, used - ownLastMinute));
}

function pagesLeft(sync: ProfileSync, held: number): number {
  const { copy } = sync;
  if (!copy || copy.copiedAt !== undefined || copy.total === undefined) return 0;
  return Math.ceil(Math.max(0, copy.total - held) / getProposalListLayout(sync).size);
}

function stateOf({ copy }: ProfileSync): MirrorProgress['state'] {
  if (!copy) return 'waiting';
  return copy.copiedAt === undefined ? 'copying' : 'complete';
}

/**
 * @param profiles the followed ones, with the number of stored proposals of each
 * @param ownLastMinute requests of the mirror itself within the last minute
 */
export function estimateMirrorProgress(
  profiles: readonly { readonly sync: ProfileSync; readonly held: number }[],
  gate: GateStatus,
  ownLastMinute: number,
  now: Instant,
): MirrorProgress[] {
  const pace = pagesPerMinute(gate, ownLastMinute);
  const left = profiles.map(({ sync, held }) => pagesLeft(sync, held));
  return profiles.map(({ sync, held }, index) => {
    const own = left[index] ?? 0;
    // Profiles take turns: until this one's last page is read, each other profile reads as many.
    const pages = left.reduce((sum, others) => sum + Math.min(others, own), 0);
    const { copy, trouble, readAt } = sync;
    const state = stateOf(sync);
    return {
      profile: sync.profile,
      state,
      held,
      total: copy?.total,
      leftMs:
        state === 'copying' && copy?.total !== undefined ? Math.ceil((pages / pace) * MINUTE) : undefined,
      readAt,
      trouble: trouble && {
        code: trouble.code,
        since: trouble.since,
        retryAt: getSyncRetryTime(trouble, now),
      },
    };
  });
}
