/** What the parts of personal follow share: their ports, and reading and deleting people's records. */
import type { Clock } from '../clock.ts';
import type { ClockGuard } from '../clock-watch.ts';
import type { ProjectKey, TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import { PostId } from '../outbox/posts.ts';
import type { Key, ReadTransaction, Store, Transaction } from '../storage/store.ts';
import { MAX_FOLLOWERS } from './follows.ts';
import type { RuleMatcher } from './match-rules.ts';
import type { Memberships } from './memberships.ts';
import { type Follower, followers, followMatches } from './records.ts';

export interface FollowContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Missing: the wall clock is trusted. */
  readonly clockGuard?: ClockGuard;
  readonly memberships: Memberships;
  readonly matcher: RuleMatcher;
}

export function followerKey(team: TeamId, user: UserId): Key {
  return [team, user];
}

export function followMatchKey(team: TeamId, user: UserId, project: ProjectKey): Key {
  return [team, user, project];
}

/** The message about one project. */
export function followedPostId(user: UserId, project: ProjectKey): PostId {
  return PostId.parse(`followed:${user}:${project}`);
}

/** Those who get something: still in the workspace as far as known. */
export async function listActiveFollowers(tx: ReadTransaction, team: TeamId): Promise<readonly Follower[]> {
  const entries = await tx.list(followers, { prefix: [team], limit: MAX_FOLLOWERS });
  return entries.map(({ value }) => value).filter(({ goneSince }) => goneSince === undefined);
}

/** Per list; rarely more than one is needed. */
const BATCH = 200;

/** What waits to be sent to a person. */
export async function deleteDueMatches(tx: Transaction, team: TeamId, user: UserId): Promise<void> {
  for (;;) {
    const due = await tx.list(followMatches, { index: 'byUser', prefix: [team, user], limit: BATCH });
    for (const { key } of due) await tx.delete(followMatches, key);
    if (due.length < BATCH) return;
  }
}
