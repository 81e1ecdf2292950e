/** Finds the channels that follow a profile. */
import type { ProfileId, TeamId } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { type ProfileFeed, type ProfileFeedKind, profileFeeds } from './records.ts';

/** Feeds of one kind for a profile, including those of single organizations. */
export async function listFeedsOfProfile(
  tx: ReadTransaction,
  team: TeamId,
  kind: ProfileFeedKind,
  profile: ProfileId,
): Promise<ProfileFeed[]> {
  const found: ProfileFeed[] = [];
  const range = { index: 'byProfile', prefix: [team, kind, profile] } as const;
  for await (const { value } of scanCollection(tx, profileFeeds, range)) found.push(value);
  return found;
}
