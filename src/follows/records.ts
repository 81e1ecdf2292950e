/** Stored records of personal follow: people with their rules, what was found, and what each person gets. */
import { z } from 'zod';
import { QuietHours } from '../feed/feed.ts';
import { ChannelId, FilterId, ProjectKey, TeamId, UserId } from '../ids.ts';
import type { Collection } from '../storage/store.ts';

const minuteOfDay = z.number().int().min(0).max(1439);

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

const FollowPreferences = z.object({
  /** A direct message, or a mention on the channel's card. */
  by: z.enum(['message', 'mention']),
  quiet: QuietHours.optional(),
  /** Everything of a day in one message at this time; missing: at once. */
  dailyAt: minuteOfDay.optional(),
  /** Without `until`: until unmuted. */
  muted: z.object({ until: z.number().optional() }).optional(),
});
export type FollowPreferences = z.infer<typeof FollowPreferences>;

/** A person who follows projects. Key: [team, user]. */
export const Follower = FollowPreferences.extend({
  team: TeamId,
  user: UserId,
  rules: z.array(FollowRule),
  /** IANA name, from Slack; missing: the configured one. */
  timezone: z.string().optional(),
  /** Counts changes: a form saves only what it showed. */
  revision: z.number().int(),
  /** When Slack was last asked whether the person is still a member of the workspace. */
  checkedAt: z.number(),
  /** Since when they are not. */
  goneSince: z.number().optional(),
});
export type Follower = z.infer<typeof Follower>;

export const followers: Collection<Follower> = {
  name: 'followers',
  schema: Follower,
  indexes: {
    /** [team, checked] */
    byChecked: (it) => [it.team, it.checkedAt],
  },
};

/** A filter found the project for a channel. */
const place = z.object({ channel: ChannelId, filter: FilterId });
export type FollowPlace = z.infer<typeof place>;

/** A project that filters found, until it was compared with everyone's rules. Key: [team, project]. */
export const FollowFind = z.object({
  team: TeamId,
  project: ProjectKey,
  places: z.array(place),
  at: z.number(),
  /** Only rules that existed by then count. */
  since: z.number(),
});
export type FollowFind = z.infer<typeof FollowFind>;

export const followFinds: Collection<FollowFind> = {
  name: 'follow-finds',
  schema: FollowFind,
  indexes: {
    /** [team, found] */
    byAge: (it) => [it.team, it.at],
  },
};

/**
 * A project that one of a person's rules matches. Stored with what the person gets, so that it comes once.
 * Key: [team, user, project].
 */
export const FollowMatch = z.object({
  team: TeamId,
  user: UserId,
  project: ProjectKey,
  places: z.array(place),
  at: z.number(),
  /** due: to be sent at `dueAt` · sent: as a message or a mention · dropped: muted. */
  state: z.enum(['due', 'sent', 'dropped']),
  /** Why it comes when it comes. */
  timing: z.enum(['now', 'quiet', 'daily']),
  dueAt: z.number(),
});
export type FollowMatch = z.infer<typeof FollowMatch>;

export const followMatches: Collection<FollowMatch> = {
  name: 'follow-matches',
  schema: FollowMatch,
  indexes: {
    /** [team, timing, due] */
    byDue: (it) => (it.state === 'due' ? [it.team, it.timing, it.dueAt] : undefined),
    /** [team, user, due] */
    byUser: (it) => (it.state === 'due' ? [it.team, it.user, it.dueAt] : undefined),
    /** [team, matched]: for deleting old records. */
    byAge: (it) => [it.team, it.at],
  },
};
