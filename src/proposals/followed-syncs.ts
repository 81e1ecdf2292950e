/** Decides which profiles are read, and when unfollowed ones are forgotten. */
import { DAY, type Instant } from '../clock.ts';
import type { ProfileId } from '../ids.ts';
import { type ProfileSync, profileSyncKey, profileSyncs } from '../profiles/records.ts';
import { listAllValues, type ReadTransaction, type Store, type Transaction } from '../storage/store.ts';

/** Proposals of an unfollowed profile stay searchable for this long. After that they are forgotten. */
export const UNFOLLOWED_RETENTION_DAYS = 30;

export interface SyncsByFollowState {
  /** Of the followed profiles, including those never read. */
  readonly followed: readonly ProfileSync[];
  /** Profiles whose proposals are due to be forgotten. */
  readonly expired: readonly ProfileSync[];
  /** Records to write for this. */
  readonly changed: readonly ProfileSync[];
}

function readSyncs(tx: ReadTransaction): Promise<ProfileSync[]> {
  return listAllValues(tx, profileSyncs, { prefix: ['proposals'] });
}

function freshSync(profile: ProfileId): ProfileSync {
  return { of: 'proposals', profile };
}

/** Pure. @param held profiles with proposals in memory */
function sortSyncs(
  known: readonly ProfileSync[],
  followed: ReadonlySet<ProfileId>,
  held: readonly ProfileId[],
  { now, trusted }: { readonly now: Instant; readonly trusted: Instant },
): SyncsByFollowState {
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
): Promise<SyncsByFollowState> {
  const sorted = async (tx: ReadTransaction) =>
    sortSyncs(await readSyncs(tx), followed, held, {
      now,
      trusted: Math.min(now, tx.trustedNow()),
    });
  const syncs = await store.read(sorted);
  if (syncs.changed.length === 0) return syncs;
  return store.transact(async (tx) => {
    const again = await sorted(tx);
    for (const sync of again.changed) await tx.put(profileSyncs, profileSyncKey(sync), sync);
    return again;
  });
}

/**
 * After the start: proposals that were stored but are missing now are fetched again, from the first page.
 * @param heldBy how many proposals of a profile are in memory
 */
export async function resetSyncsWithLostProposals(
  tx: Transaction,
  heldBy: (profile: ProfileId) => number,
): Promise<ProfileId[]> {
  const lost: ProfileId[] = [];
  for (const sync of await readSyncs(tx)) {
    if (!sync.copy || (sync.copy.held ?? 0) <= heldBy(sync.profile)) continue;
    lost.push(sync.profile);
    const copy = { ...sync.copy, held: heldBy(sync.profile), runs: [] };
    await tx.put(profileSyncs, profileSyncKey(sync), { ...sync, copy });
  }
  return lost;
}
