/** Stored records of personal follow: people with their rules, what was found, and what each person gets. */

import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';
import { ChannelId, FilterId, ProjectKey, UserId } from '../ids.ts';
import { PostId } from '../outbox/posts.ts';
import { collection, listAllValues, type ReadTransaction, type Transaction } from '../storage/store.ts';

/** More rules say less than one good one; each is compared with every new project. */
export const MAX_FOLLOW_RULES = 10;
/** Everyone's rules are compared with every new project. */
export const MAX_FOLLOWERS = 200;

/** A rule of a person. No two of a person have the same filter and rules. */
export const FollowRule = z.object({
  /** Only what this filter finds; missing: what any filter of the person's channels finds. */
  filter: FilterId.optional(),
  /** In the query language, normalized; empty: every project. */
  rules: z.string(),
  /** Projects found before this don't count. */
  at: z.number(),
});
export type FollowRule = z.infer<typeof FollowRule>;

/** A person who follows projects. */
export const Follower = z.object({
  user: UserId,
  /** Never empty. */
  rules: z.array(FollowRule),
  /** Without `until`: until unmuted. */
  muted: z.object({ until: z.number().optional() }).optional(),
  /** When Slack was last asked whether the person is still a member of the workspace. */
  checkedAt: z.number(),
  /** Since when they are not. */
  goneSince: z.number().optional(),
});
export type Follower = z.infer<typeof Follower>;

export const followers = collection({
  name: 'followers',
  schema: Follower,
  key: (it) => [it.user],
  indexes: {
    /** [checked] */
    byChecked: (it) => [it.checkedAt],
  },
});

/** A filter found the project for a channel. */
const place = z.object({ channel: ChannelId, filter: FilterId });
export type FollowPlace = z.infer<typeof place>;

/** A project that filters found, until it was compared with everyone's rules. */
export const FollowFind = z.object({
  project: ProjectKey,
  places: z.array(place),
  at: z.number(),
  /** Only rules that existed by then count. */
  since: z.number(),
});
export type FollowFind = z.infer<typeof FollowFind>;

export const followFinds = collection({
  name: 'follow-finds',
  schema: FollowFind,
  key: (it) => [it.project],
  indexes: {
    byAge: (it) => [it.at],
  },
});

/**
 * A project that one of a person's rules matches. Stored with what the person gets, so that it comes once.
 */
export const FollowMatch = z.object({
  user: UserId,
  project: ProjectKey,
  places: z.array(place),
  at: z.number(),
  /** When to send it; missing: it was sent, or dropped because the person was muted. */
  dueAt: z.number().optional(),
});
export type FollowMatch = z.infer<typeof FollowMatch>;

export const followMatches = collection({
  name: 'follow-matches',
  schema: FollowMatch,
  key: (it) => [it.user, it.project],
  indexes: {
    /** [due] */
    byDue: (it) => (it.dueAt === undefined ? undefined : [it.dueAt]),
    /** [user, due] */
    byUser: (it) => (it.dueAt === undefined ? undefined : [it.user, it.dueAt]),
    byAge: (it) => [it.at],
  },
  keepFor: { ms: 30 * DAY },
});

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
