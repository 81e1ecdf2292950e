/**
 * The sources to read: a profile's invitations, or those of one organization, for all channels that follow
 * them.
 */
import type { Instant } from '../clock.ts';
import { isSubscriptionActive, readChannelSettings } from '../feed/channels.ts';
import type { OrganizationId, ProfileId, TeamId } from '../ids.ts';
import {
  type ProfileFeed,
  type ProfileSync,
  profileFeeds,
  profileSyncKey,
  profileSyncs,
} from '../profiles/records.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';

/** Read with one request, however many channels follow it. */
export interface InvitationSource {
  readonly profile: ProfileId;
  readonly organization?: OrganizationId;
}

export interface InvitationSourceState {
  readonly source: InvitationSource;
  readonly sync: ProfileSync;
  /** In channels that are neither paused nor refused by Slack; never empty. */
  readonly feeds: readonly ProfileFeed[];
}

export function invitationSourceKey({ profile, organization }: InvitationSource): string {
  return `${profile}:${organization ?? 0}`;
}

function sourceOf({ profile, organization }: ProfileFeed): InvitationSource {
  return organization === undefined ? { profile } : { profile, organization };
}

export async function readInvitationSync(
  tx: ReadTransaction,
  team: TeamId,
  source: InvitationSource,
): Promise<ProfileSync> {
  const blank = { team, of: 'invitations', ...source } as const;
  return (await tx.get(profileSyncs, profileSyncKey(blank))) ?? blank;
}

async function statesIn(
  tx: ReadTransaction,
  team: TeamId,
  profile: readonly ProfileId[],
  at: Instant,
): Promise<readonly InvitationSourceState[]> {
  const found = new Map<string, { source: InvitationSource; feeds: ProfileFeed[] }>();
  const range = { index: 'byProfile', prefix: [team, 'invitations', ...profile] } as const;
  for await (const { value: feed } of scanCollection(tx, profileFeeds, range)) {
    const settings = await readChannelSettings(tx, team, feed.channel);
    if (!isSubscriptionActive(feed, settings, at)) continue;
    const source = sourceOf(feed);
    const name = invitationSourceKey(source);
    const state = found.get(name) ?? { source, feeds: [] };
    state.feeds.push(feed);
    found.set(name, state);
  }
  const states: InvitationSourceState[] = [];
  for (const { source, feeds } of found.values())
    states.push({ source, feeds, sync: await readInvitationSync(tx, team, source) });
  return states;
}

export function readInvitationSources(
  tx: ReadTransaction,
  team: TeamId,
  at: Instant,
): Promise<readonly InvitationSourceState[]> {
  return statesIn(tx, team, [], at);
}

/** undefined: no channel follows it, or all that do are paused or refused. */
export async function readInvitationSource(
  tx: ReadTransaction,
  team: TeamId,
  source: InvitationSource,
  at: Instant,
): Promise<InvitationSourceState | undefined> {
  const states = await statesIn(tx, team, [source.profile], at);
  return states.find((each) => invitationSourceKey(each.source) === invitationSourceKey(source));
}
