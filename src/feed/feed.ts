/** The contract of the feed: what commands, buttons and delivery ask of it. */
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId, ProjectKey, UserId } from '../ids.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { BundleResult } from '../outbox/card-summary.ts';
import type { PostId } from '../outbox/posts.ts';
import type { QueryError } from '../query/query.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { ChannelPreferences, PreferenceName } from './channel-preferences.ts';
import type { Card, ChannelSettings, Mute, SeenProject, SkipReason, Subscription } from './records.ts';

export interface SubscribeRequest {
  readonly channel: ChannelId;
  readonly filter: FilterId;
  /** In the query language; empty: every project. */
  readonly rules: string;
  /** How many past projects to tell, too; each may cost a credit. 0: none. */
  readonly backfill: number;
  readonly by: UserId;
  /** `by` is an admin of the channel, and so stands behind what it spends. */
  readonly isAdmin?: boolean;
}

export type SubscribeOutcome =
  /** `changed`: it was subscribed already; the rules are the new ones now. */
  | {
      readonly kind: 'subscribed' | 'changed';
      readonly subscription: Subscription;
      readonly filterName?: string;
      /** Neither the marketplace's results nor a known name confirm that there is such a filter. */
      readonly unconfirmed?: true;
    }
  | { readonly kind: 'wrong-rules'; readonly mistake: QueryError }
  /** The filter could not be checked; nothing was stored. */
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

export interface NamedFilter {
  readonly id: FilterId;
  readonly name?: string;
}

export interface SubscriptionStatus {
  readonly subscription: Subscription;
  readonly filter: NamedFilter;
  readonly lastGoodAt?: Instant;
  readonly lastPollAt?: Instant;
  /** Why nothing comes, where that is so; the first that applies. */
  readonly state:
    | { readonly kind: 'live' }
    /** Subscribed, first poll still ahead. */
    | { readonly kind: 'starting' }
    | { readonly kind: 'paused'; readonly by: UserId; readonly until?: Instant }
    | { readonly kind: 'stopped'; readonly error: string }
    | { readonly kind: 'out-of-budget' }
    /** `code` is a MarketplaceErrorCode, or `account-spent`. */
    | {
        readonly kind: 'failing';
        readonly code: string;
        readonly since: Instant;
        readonly retryAt?: Instant;
      };
}

/** All that a card shows. */
export interface CardData {
  readonly card: Card;
  readonly seen: SeenProject;
  /** The card's filters, named where known. */
  readonly filters: readonly NamedFilter[];
  readonly settings: ChannelSettings;
  /** The card's thread has what it leaves out. */
  readonly hasDetailsInThread?: true;
}

export interface FilterHealth {
  readonly filter: NamedFilter;
  readonly channels: readonly ChannelId[];
  readonly lastPollAt?: Instant;
  readonly lastGoodAt?: Instant;
  readonly trouble?: { readonly code: string; readonly since: Instant; readonly retryAt: Instant };
  /** Projects an hour, as learned. */
  readonly perHour: number;
  /** Stretches of older projects not bought yet. */
  readonly gaps: number;
}

export interface FeedStatus {
  readonly trouble?: { readonly code: string; readonly since: Instant; readonly retryAt: Instant };
  readonly filters: readonly FilterHealth[];
}

export type ClaimOutcome =
  | { readonly kind: 'claimed' | 'released' }
  /** Someone else holds it, or nobody does. */
  | { readonly kind: 'held'; readonly by: UserId; readonly at: Instant }
  | { readonly kind: 'free' }
  | { readonly kind: 'no-card' };

/** `there`: it was muted already; `full`: the channel mutes as much as it may, and nothing was changed. */
export type MuteOutcome = 'muted' | 'there' | 'full';

export interface ChangePreferencesOutcome {
  /** What is different now. */
  readonly changed: readonly PreferenceName[];
  /** Of these, what somebody else had changed since it was shown. */
  readonly overwrittenPreferences: readonly PreferenceName[];
  readonly settings: ChannelSettings;
}

export interface Feed {
  /** Polls until stopped. @returns when stopped and every poll under way has been put on record. */
  run(signal: AbortSignal): Promise<void>;

  subscribe(request: SubscribeRequest): Promise<SubscribeOutcome>;
  /** @returns the subscription that was ended; undefined when there was none. Nothing that is posted is touched. */
  unsubscribe(channel: ChannelId, filter: FilterId, by: UserId): Promise<Subscription | undefined>;
  listSubscriptions(channel: ChannelId): Promise<readonly SubscriptionStatus[]>;
  /** Every filter that we know of, by id. `failure`: the marketplace did not tell the newest names. */
  listKnownFilters(): Promise<{ readonly filters: readonly NamedFilter[]; readonly failure?: unknown }>;

  /** Stops polling for a channel; what others pay for meanwhile is owed to it and comes on resume. */
  pauseChannelFeed(channel: ChannelId, by: UserId, until?: Instant): Promise<void>;
  /** @returns false when it was not paused. Also restarts what Slack's refusals had stopped. */
  resumeChannelFeed(channel: ChannelId, by: UserId): Promise<boolean>;

  claimProject(channel: ChannelId, project: ProjectKey, by: UserId): Promise<ClaimOutcome>;
  releaseProjectClaim(
    channel: ChannelId,
    project: ProjectKey,
    by: UserId,
    mayReleaseOthers: boolean,
  ): Promise<ClaimOutcome>;
  /** @returns false when there is no such card. Skipping again changes the reason; `undefined` takes the skip back. */
  skipProject(
    channel: ChannelId,
    project: ProjectKey,
    by: UserId,
    reason: SkipReason | undefined,
  ): Promise<boolean>;
  /** Cards of the future that match are not told in this channel. */
  addMute(channel: ChannelId, mute: Pick<Mute, 'kind' | 'value'>, by: UserId): Promise<MuteOutcome>;
  /** @returns false when it was not muted. */
  removeMute(channel: ChannelId, mute: Pick<Mute, 'kind' | 'value'>, by: UserId): Promise<boolean>;
  setDensity(channel: ChannelId, density: ChannelSettings['density'], by: UserId): Promise<void>;
  /** Changes what differs between both, and nothing else; rules must have been read (`parseRules`). What quiet hours held back comes at once where it is quiet no more. */
  changeChannelPreferences(
    channel: ChannelId,
    choices: { readonly shown: ChannelPreferences; readonly wanted: ChannelPreferences },
    by: UserId,
  ): Promise<ChangePreferencesOutcome>;

  /** For rendering a card, inside delivery's transaction. */
  readCardData(tx: ReadTransaction, channel: ChannelId, project: ProjectKey): Promise<CardData | undefined>;
  /** Bundles the cards that wait in a channel into one summary when they are a flood (more than 10), or the rest of one. */
  bundleCardsIntoSummary(
    tx: Transaction,
    channel: ChannelId,
    at: Instant,
  ): Promise<Pick<BundleResult, 'summary' | 'isMore'>>;
  /** Takes the next cards out of a flood's summary, to be posted on their own. @returns how many. */
  postMoreCardsFromSummary(flood: PostId, count: number): Promise<number>;
  /** Slack refuses a channel for good: all that it follows stops, and whoever made it is told. */
  stopChannelFeeds(tx: Transaction, channel: ChannelId, error: string, at: Instant): Promise<void>;

  readChannelSettings(channel: ChannelId): Promise<ChannelSettings>;
  /** Every minute: what quiet hours held back comes when they are over. */
  readonly quietHoursJob: ScheduledJob;
  readFeedStatus(): Promise<FeedStatus>;
  /** Something changed from outside that may let polls go on (a raised budget): look again now. */
  wake(): void;
}
