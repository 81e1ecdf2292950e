/**
 * Personal follow: people's own rules on what the channels' filters find anyway. It reads nothing from the
 * marketplace, so it costs no credits. This is its contract.
 */
import type { Instant } from '../clock.ts';
import type { CardFollowers } from '../feed/card-followers.ts';
import type { NamedFilter } from '../feed/feed.ts';
import type { ChannelId, FilterId, ProjectKey, UserId } from '../ids.ts';
import type { Follower, FollowPreferences, FollowRule } from './records.ts';

export type { Follower, FollowPreferences, FollowRule } from './records.ts';

/** More rules say less than one good one; each is compared with every new project. */
export const MAX_FOLLOW_RULES = 10;
/** Everyone's rules are compared with every new project. */
export const MAX_FOLLOWERS = 200;
/** A card with more names is hard to read: the others get a message. */
export const MAX_CARD_FOLLOWERS = 10;
/** A list with more is cut off. */
export const MAX_LISTED = 20;

/** What Slack says about a person. */
export interface Membership {
  /** A full member of the workspace: neither a guest nor deactivated. */
  readonly isMember: boolean;
  /** Those that Gigdesk is in. */
  readonly channels: ReadonlySet<ChannelId>;
  /** IANA name. */
  readonly timezone?: string | undefined;
}

/** @returns undefined: Slack doesn't say now. Never throws. */
export type ReadMembership = (user: UserId) => Promise<Membership | undefined>;

export type FollowTarget = Pick<FollowRule, 'filter' | 'rules'>;

/** Who follows: their time zone comes from Slack. */
export interface FollowingPerson {
  readonly user: UserId;
  readonly timezone?: string | undefined;
}

/** `full`: the person has the most rules; `crowded`: the team the most people. Neither changes anything. */
export type FollowOutcome = 'added' | 'same' | 'full' | 'crowded';

/** `changed`: the person changed it after `revision`; nothing was saved. */
export type SaveFollowsOutcome = 'saved' | 'changed' | 'crowded';

export interface FollowChange {
  /** Of what the person saw; 0 if they followed nothing. */
  readonly revision: number;
  readonly rules: readonly FollowTarget[];
  readonly preferences: FollowPreferences;
}

export interface FollowService {
  /** The next projects count, not those found before. @param target rules must be parsed (`parseRules`) */
  follow(person: FollowingPerson, target: FollowTarget): Promise<FollowOutcome>;
  /** With `rules` undefined: every rule on the filter. @returns what ended */
  unfollow(
    user: UserId,
    target: { readonly filter?: FilterId | undefined; readonly rules?: string | undefined },
  ): Promise<readonly FollowRule[]>;
  /** Deletes all that is stored about what the person follows. @returns false if there was nothing */
  unfollowAll(user: UserId): Promise<boolean>;
  /** Replaces rules and preferences. What is held back follows the new ones. */
  saveFollows(person: FollowingPerson, change: FollowChange): Promise<SaveFollowsOutcome>;
  /** Drops what is held back now and found meanwhile. @returns false if the person follows nothing */
  setMuted(user: UserId, muted: FollowPreferences['muted']): Promise<boolean>;
  /** Shows the project's card as it is now in the message that the person got about it. */
  refreshMessage(user: UserId, project: ProjectKey): Promise<void>;
  readFollower(user: UserId): Promise<Follower | undefined>;
  /** From Slack's answer of the last minutes. undefined: Slack doesn't say now. */
  readMembership(user: UserId): Promise<Membership | undefined>;
  /** The filters whose projects these channels get, by ID. */
  listFollowableFilters(channels: ReadonlySet<ChannelId>): Promise<readonly NamedFilter[]>;
  /** For the feed. */
  readonly cardFollowers: CardFollowers;
  /** Sends what people follow until `signal` aborts. Never throws. */
  run(signal: AbortSignal): Promise<void>;
}

/** Whether nothing comes now. */
export function isFollowerMuted({ muted }: Pick<Follower, 'muted'>, at: Instant): boolean {
  return muted !== undefined && (muted.until === undefined || at < muted.until);
}
