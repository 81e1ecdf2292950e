/**
 * Personal follow: people's own rules on what the channels' filters find anyway. It reads nothing from the
 * marketplace, so it costs no credits. This is its contract.
 */
import type { Instant } from '../clock.ts';
import type { NamedFilter, ProjectFollowers } from '../feed/feed.ts';
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { addDays, isTimezone, localTime, localTimeToInstant } from '../schedule/local-time.ts';
import type { Follower, FollowRule } from './records.ts';

export type { Follower } from './records.ts';

/** More rules say less than one good one; each is compared with every new project. */
export const MAX_FOLLOW_RULES = 10;
/** Everyone's rules are compared with every new project. */
export const MAX_FOLLOWERS = 200;
/** A list with more is cut off. */
export const MAX_LISTED = 20;

/** What Slack says about a person. */
export interface Membership {
  /** A full member of the workspace: neither a guest nor deactivated. */
  readonly isMember: boolean;
  /** Those that Gigdesk is in. */
  readonly channels: ReadonlySet<ChannelId>;
}

/** @returns undefined: Slack doesn't say now. Never throws. */
export type ReadMembership = (user: UserId) => Promise<Membership | undefined>;

export type FollowTarget = Pick<FollowRule, 'filter' | 'rules'>;

/** `full`: the person has the most rules; `crowded`: the team the most people. Neither changes anything. */
export type FollowOutcome = 'added' | 'same' | 'full' | 'crowded';

export interface FollowService {
  /** The next projects count, not those found before. @param target rules must be parsed (`parseRules`) */
  follow(user: UserId, target: FollowTarget): Promise<FollowOutcome>;
  /** Ends one rule, or all. With the last one, everything about what the person follows is deleted. */
  unfollow(user: UserId, which: FollowTarget | 'all'): Promise<void>;
  /** Nothing that is found while muted comes later. Changes nothing if the person follows nothing. */
  setMuted(user: UserId, muted: Follower['muted']): Promise<void>;
  /** Shows the project's card as it is now in the message that the person got about it. */
  refreshMessage(user: UserId, project: ProjectKey): Promise<void>;
  readFollower(user: UserId): Promise<Follower | undefined>;
  /** From Slack's answer of the last minutes. undefined: Slack doesn't say now. */
  readMembership(user: UserId): Promise<Membership | undefined>;
  /** The filters whose projects these channels get, by ID. */
  listFollowableFilters(channels: ReadonlySet<ChannelId>): Promise<readonly NamedFilter[]>;
  /** For the feed. */
  readonly projectFollowers: ProjectFollowers;
  /** Sends what people follow until `signal` aborts. Never throws. */
  run(signal: AbortSignal): Promise<void>;
}

/** Whether nothing comes now. */
export function isFollowerMuted({ muted }: Pick<Follower, 'muted'>, at: Instant): boolean {
  return muted !== undefined && (muted.until === undefined || at < muted.until);
}

/** Minute of the day. */
const MORNING = 9 * 60;

/** Until 9:00 of the next day where the person is. */
export function muteUntilTomorrow(at: Instant, timezone: string): NonNullable<Follower['muted']> {
  const zone = isTimezone(timezone) ? timezone : 'UTC';
  return { until: localTimeToInstant(addDays(localTime(at, zone).day, 1), MORNING, zone) };
}
