/**
 * The sync records of profiles: which profiles are read, and when unfollowed ones are forgotten; how a page
 * that was read and stored changes a record, and the copy's progress as people see it.
 */
import { DAY, type Instant, MINUTE } from '../clock.ts';
import type { ProfileId } from '../ids.ts';
import { backgroundSlotLimit, type GateStatus } from '../marketplace/gate/gate.ts';
import { type ProfileSync, profileSyncs } from '../profiles/records.ts';
import { listAllValues, type ReadTransaction, type Store, type Transaction } from '../storage/store.ts';
import { isProposalCopyComplete, mergePageIntoRanges, type ProposalPageFacts } from './copy-plan.ts';
import {
  countMissingProposals,
  decideNextSweepPage,
  getProposalListLayout,
  getSyncRetryTime,
  type SyncStep,
} from './sync-plan.ts';

/** Proposals of an unfollowed profile stay searchable for this long. After that they are forgotten. */
export const UNFOLLOWED_RETENTION_DAYS = 30;

function readSyncs(tx: ReadTransaction): Promise<ProfileSync[]> {
  return listAllValues(tx, profileSyncs, { prefix: ['proposals'] });
}

function freshSync(profile: ProfileId): ProfileSync {
  return { of: 'proposals', profile };
}

/**
 * @param held profiles with proposals in memory
 * @returns `followed`, including those never read; `expired`: due to be forgotten; `changed`: to be written
 */
function sortSyncs(
  known: readonly ProfileSync[],
  followed: ReadonlySet<ProfileId>,
  held: readonly ProfileId[],
  { now, trusted }: { readonly now: Instant; readonly trusted: Instant },
) {
  const byProfile = new Map(known.map((sync) => [sync.profile, sync]));
  const syncs: ProfileSync[] = [];
  const changed: ProfileSync[] = [];
  for (const profile of followed) {
    const sync = byProfile.get(profile);
    // A profile that is followed again starts with a fresh copy: what happened meanwhile is history.
    const wanted = sync?.unfollowedAt === undefined ? sync : freshSync(profile);
    if (wanted && wanted !== sync) changed.push(wanted);
    syncs.push(wanted ?? freshSync(profile));
  }
  const left = new Set([...byProfile.keys(), ...held].filter((profile) => !followed.has(profile)));
  const expired: ProfileSync[] = [];
  for (const profile of left) {
    const sync = byProfile.get(profile) ?? freshSync(profile);
    if (sync.unfollowedAt === undefined || sync.unfollowedAt > now)
      changed.push({ ...sync, unfollowedAt: now });
    else if (trusted - sync.unfollowedAt >= UNFOLLOWED_RETENTION_DAYS * DAY) expired.push(sync);
  }
  return { followed: syncs, expired, changed };
}

/** Reads the sync records, and records since when profiles are unfollowed. */
export async function readSyncsByFollowState(
  store: Pick<Store, 'read' | 'transact'>,
  followed: ReadonlySet<ProfileId>,
  held: readonly ProfileId[],
  now: Instant,
) {
  const sorted = async (tx: ReadTransaction) =>
    sortSyncs(await readSyncs(tx), followed, held, { now, trusted: Math.min(now, tx.trustedNow()) });
  const syncs = await store.read(sorted);
  if (syncs.changed.length === 0) return syncs;
  return store.transact(async (tx) => {
    const again = await sorted(tx);
    for (const sync of again.changed) await tx.put(profileSyncs, sync);
    return again;
  });
}

/**
 * After the start: proposals that were stored but are missing now are fetched again, from the first page.
 * @param heldBy how many proposals of a profile are in memory
 */
export async function resetSyncsWithLostProposals(tx: Transaction, heldBy: (profile: ProfileId) => number) {
  const lost: ProfileId[] = [];
  for (const sync of await readSyncs(tx)) {
    if (!sync.copy || (sync.copy.held ?? 0) <= heldBy(sync.profile)) continue;
    lost.push(sync.profile);
    const copy = { ...sync.copy, held: heldBy(sync.profile), runs: [] };
    await tx.put(profileSyncs, { ...sync, copy });
  }
  return lost;
}

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

/** The first copy is complete when the whole list was read and all that the server counts is stored. */
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

function pagesLeft(sync: ProfileSync, held: number): number {
  const { copy } = sync;
  if (!copy || copy.copiedAt !== undefined || copy.total === undefined) return 0;
  return Math.ceil(Math.max(0, copy.total - held) / getProposalListLayout(sync).size);
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
  // Background slots a minute that others leave to the mirror; at least one, since every lane gets turns.
  const others = Math.max(0, gate.used - ownLastMinute);
  const pace = Math.max(1, backgroundSlotLimit(gate.limitPerMinute) - others);
  const left = profiles.map(({ sync, held }) => pagesLeft(sync, held));
  return profiles.map(({ sync, held }, index) => {
    const own = left[index] ?? 0;
    // Profiles take turns: until this one's last page is read, each other profile reads as many.
    const pages = left.reduce((sum, others) => sum + Math.min(others, own), 0);
    const { copy, trouble, readAt } = sync;
    const isCopying = copy !== undefined && copy.copiedAt === undefined;
    const isCounted = isCopying && copy.total !== undefined;
    return {
      profile: sync.profile,
      state: !copy ? 'waiting' : isCopying ? 'copying' : 'complete',
      held,
      total: copy?.total,
      leftMs: isCounted ? Math.ceil((pages / pace) * MINUTE) : undefined,
      readAt,
      trouble: trouble && {
        code: trouble.code,
        since: trouble.since,
        retryAt: getSyncRetryTime(trouble, now),
      },
    };
  });
}
