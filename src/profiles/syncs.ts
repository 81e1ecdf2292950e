/** Finds a feed's sync state and the names for it. */
import { type DirectoryEntryKind, directoryEntries } from '../directory/directory.ts';
import type { TeamId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import {
  type ProfileFeed,
  type ProfileFeedKind,
  type ProfileSync,
  profileSyncKey,
  profileSyncs,
} from './records.ts';

export const SYNC_KIND_BY_FEED_KIND: Readonly<Record<ProfileFeedKind, ProfileSync['of']>> = {
  outcomes: 'proposals',
  invitations: 'invitations',
};

/** The sync of a feed's own organization if there is one, else of the whole profile. */
export async function readProfileSync(
  tx: ReadTransaction,
  { team, kind, profile, organization }: Pick<ProfileFeed, 'team' | 'kind' | 'profile' | 'organization'>,
): Promise<ProfileSync | undefined> {
  const whole = { team, of: SYNC_KIND_BY_FEED_KIND[kind], profile };
  const own = organization === undefined ? whole : { ...whole, organization };
  return (
    (await tx.get(profileSyncs, profileSyncKey(own))) ?? (await tx.get(profileSyncs, profileSyncKey(whole)))
  );
}

export async function readDirectoryName(
  tx: ReadTransaction,
  team: TeamId,
  kind: DirectoryEntryKind,
  id: number,
): Promise<string | undefined> {
  return (await tx.get(directoryEntries, [team, kind, id]))?.name;
}
