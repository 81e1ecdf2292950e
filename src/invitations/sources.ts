/** What is to be read: a profile's invitations, or those of one organization, for every channel that follows them. */
import type { Instant } from '../clock.ts';
import { isPaused, readSettings } from '../feed/channels.ts';
import type { OrganizationId, ProfileId, TeamId } from '../ids.ts';
import {
  type ProfileFeed,
  type ProfileSync,
  profileFeeds,
  profileSyncKey,
  profileSyncs,
} from '../profiles/records.ts';
import { type ReadTransaction, scan } from '../storage/store.ts';

/** Read with one request, however many channels follow it. */
export interface Source {
  readonly profile: ProfileId;
  readonly organization?: OrganizationId;
}

export interface SourceState {
  readonly source: Source;
  readonly sync: ProfileSync;
  /** In channels that are neither paused nor refused by Slack; never empty. */
  readonly feeds: readonly ProfileFeed[];
}

export function sourceName({ profile, organization }: Source): string {
  return `${profile}:${organization ?? 0}`;
}

function sourceOf({ profile, organization }: ProfileFeed): Source {
  return organization === undefined ? { profile } : { profile, organization };
}

async function isActive(tx: ReadTransaction, feed: ProfileFeed, at: Instant): Promise<boolean> {
  return !feed.stopped && !isPaused(await readSettings(tx, feed.team, feed.channel), at);
}

export async function readSync(tx: ReadTransaction, team: TeamId, source: Source): Promise<ProfileSync> {
  const blank = { team, of: 'invitations', ...source } as const;
  return (await tx.get(profileSyncs, profileSyncKey(blank))) ?? blank;
}

async function statesIn(
  tx: ReadTransaction,
  team: TeamId,
  profile: readonly ProfileId[],
  at: Instant,
): Promise<readonly SourceState[]> {
  const found = new Map<string, { source: Source; feeds: ProfileFeed[] }>();
  const range = { index: 'byProfile', prefix: [team, 'invitations', ...profile] } as const;
  for await (const { value: feed } of scan(tx, profileFeeds, range)) {
    if (!(await isActive(tx, feed, at))) continue;
    const source = sourceOf(feed);
    const name = sourceName(source);
    const state = found.get(name) ?? { source, feeds: [] };
    state.feeds.push(feed);
    found.set(name, state);
  }
  const states: SourceState[] = [];
  for (const { source, feeds } of found.values())
    states.push({ source, feeds, sync: await readSync(tx, team, source) });
  return states;
}

export function readSources(tx: ReadTransaction, team: TeamId, at: Instant): Promise<readonly SourceState[]> {
  return statesIn(tx, team, [], at);
}

/** undefined: nobody follows it, or every channel that does is paused or refused. */
export async function readSource(
  tx: ReadTransaction,
  team: TeamId,
  source: Source,
  at: Instant,
): Promise<SourceState | undefined> {
  const states = await statesIn(tx, team, [source.profile], at);
  return states.find((each) => sourceName(each.source) === sourceName(source));
}
