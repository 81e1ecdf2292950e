/**
 * The sources to read: a profile's invitations, or those of one organization, for all channels that follow
 * them; which is read next, and when.
 */
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import type { NameDirectory } from '../directory/directory.ts';
import { isSubscriptionActive, readChannelSettings } from '../feed/channels.ts';
import type { FeedContext } from '../feed/feed.ts';
import type { OrganizationId, ProfileId } from '../ids.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import {
  type ProfileFeed,
  type ProfileSync,
  profileFeeds,
  profileSyncKey,
  profileSyncs,
} from '../profiles/records.ts';
import { getRetryTime } from '../sources/failure-rules.ts';
import { listAllValues, type ReadTransaction } from '../storage/store.ts';

export interface InvitationsContext
  extends Pick<FeedContext, 'store' | 'timezone' | 'clock' | 'log' | 'clockGuard'> {
  readonly marketplace: Pick<MarketplaceClient, 'fetchInvitations'>;
  /** Learns names from the invitations. */
  readonly directory?: Pick<NameDirectory, 'recordNames'>;
}

/** Read with one request, however many channels follow it. */
export interface InvitationSource {
  readonly profile: ProfileId;
  readonly organization?: OrganizationId;
}

interface InvitationSourceState {
  readonly source: InvitationSource;
  readonly sync: ProfileSync;
  /** In channels that are neither paused nor refused by Slack; never empty. */
  readonly feeds: readonly ProfileFeed[];
}

export function invitationSourceKey({ profile, organization }: InvitationSource): string {
  return `${profile}:${organization ?? 0}`;
}

export async function readInvitationSync(
  tx: ReadTransaction,
  source: InvitationSource,
): Promise<ProfileSync> {
  const blank = { of: 'invitations', ...source } as const;
  return (await tx.get(profileSyncs, profileSyncKey(blank))) ?? blank;
}

/** @param profile at most one; without one, the sources of all profiles */
export async function readInvitationSources(
  tx: ReadTransaction,
  at: Instant,
  ...profile: readonly ProfileId[]
): Promise<readonly InvitationSourceState[]> {
  const found = new Map<string, { source: InvitationSource; feeds: ProfileFeed[] }>();
  const range = { index: 'byProfile', prefix: ['invitations', ...profile] } as const;
  for (const feed of await listAllValues(tx, profileFeeds, range)) {
    const settings = await readChannelSettings(tx, feed.channel);
    if (!isSubscriptionActive(feed, settings, at)) continue;
    const source = { profile: feed.profile, organization: feed.organization };
    const name = invitationSourceKey(source);
    const state = found.get(name) ?? { source, feeds: [] };
    state.feeds.push(feed);
    found.set(name, state);
  }
  const states: InvitationSourceState[] = [];
  for (const { source, feeds } of found.values())
    states.push({ source, feeds, sync: await readInvitationSync(tx, source) });
  return states;
}

/** undefined: no channel follows it, or all that do are paused or refused. */
export async function readInvitationSource(tx: ReadTransaction, source: InvitationSource, at: Instant) {
  const states = await readInvitationSources(tx, at, source.profile);
  return states.find((each) => invitationSourceKey(each.source) === invitationSourceKey(source));
}

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
 * The read that is due first; undefined if no source is followed. After a pause of all, the one that waited
 * longest: else one that fails would keep the others from their turns.
 * @param notBefore the earliest time for a source, even if it is due before
 */
export function findNextReadTask(
  states: readonly InvitationSourceState[],
  now: Instant,
  pauses: { readonly notBefore: (source: InvitationSource) => Instant; readonly sweepsFrom: Instant },
): InvitationReadTask | undefined {
  let first: { readonly task: InvitationReadTask; readonly dueAt: Instant } | undefined;
  for (const state of states) {
    for (const task of tasksOf(state, now, pauses.sweepsFrom)) {
      const at = Math.max(task.at, pauses.notBefore(task.source));
      const isEarlier = !first || at < first.task.at || (at === first.task.at && task.at < first.dueAt);
      if (isEarlier) first = { task: { ...task, at }, dueAt: task.at };
    }
  }
  return first?.task;
}
