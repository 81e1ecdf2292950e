/** What the parts of personal follow share: their ports, and reading and deleting people's records. */
import { putBounded } from '../base/put-bounded.ts';
import { type Clock, type Instant, isRecent, MINUTE } from '../clock.ts';
import type { FeedContext } from '../feed/feed.ts';
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { PostId } from '../outbox/posts.ts';
import { listAllValues, type ReadTransaction, type Transaction } from '../storage/store.ts';
import type { RuleMatcher } from './match-rules.ts';
import { type Follower, followers, followMatches, MAX_FOLLOWERS } from './records.ts';

/** What Slack says about a person. */
export interface Membership {
  /** A full member of the workspace: neither a guest nor deactivated. */
  readonly isMember: boolean;
  /** Those that Gigdesk is in. */
  readonly channels: ReadonlySet<ChannelId>;
}

/** @returns undefined: Slack doesn't say now. Never throws. */
export type ReadMembership = (user: UserId) => Promise<Membership | undefined>;

/** Someone who left a channel gets nothing from it after this long. */
const FRESH_MS = 5 * MINUTE;

/** Remembers for some minutes what Slack says about people, so that not each project asks. */
export class Memberships {
  readonly #ask: ReadMembership;
  readonly #clock: Clock;
  readonly #known = new Map<UserId, { readonly membership: Membership; readonly at: Instant }>();

  constructor(ask: ReadMembership, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** undefined: Slack doesn't say now. Never throws. */
  async read(user: UserId, maxAgeMs = FRESH_MS): Promise<Membership | undefined> {
    const known = this.#known.get(user);
    if (known && isRecent(known.at, maxAgeMs, this.#clock.now())) return known.membership;
    // Dated before the call: nobody counts as a member longer than that from the answer's beginning.
    const at = this.#clock.now();
    const membership = await this.#ask(user);
    if (membership) putBounded(this.#known, user, { membership, at }, 2 * MAX_FOLLOWERS);
    return membership;
  }
}

export interface FollowContext extends Pick<FeedContext, 'store' | 'clock' | 'log' | 'clockGuard'> {
  readonly memberships: Memberships;
  readonly matcher: RuleMatcher;
}

/** The message about one project. */
export function followedPostId(user: UserId, project: ProjectKey): PostId {
  return PostId.parse(`followed:${user}:${project}`);
}

/** Those who get something: still in the workspace as far as known. */
export async function listActiveFollowers(tx: ReadTransaction): Promise<readonly Follower[]> {
  const entries = await tx.list(followers, { limit: MAX_FOLLOWERS });
  return entries.map(({ value }) => value).filter(({ goneSince }) => goneSince === undefined);
}

/** What waits to be sent to a person. */
export async function deleteDueMatches(tx: Transaction, user: UserId): Promise<void> {
  const due = await listAllValues(tx, followMatches, { index: 'byUser', prefix: [user] });
  for (const { project } of due) await tx.delete(followMatches, [user, project]);
}

/** Whether nothing comes now. */
export function isFollowerMuted({ muted }: Pick<Follower, 'muted'>, at: Instant): boolean {
  return muted !== undefined && (muted.until === undefined || at < muted.until);
}
