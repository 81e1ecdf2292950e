/** What the feed is asked, what it answers, and what it needs itself. */
import type { Instant } from '../clock.ts';
import type { CreditsService } from '../credits/create-credits.ts';
import type { NameDirectory } from '../directory/directory.ts';
import type { ChannelId, FilterId, ProjectKey, UserId } from '../ids.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { QueryError } from '../query/query.ts';
import type { SetupService } from '../setups/setups.ts';
import type { ProjectClaims } from '../sources/claims.ts';
import type { SourceFailure } from '../sources/failure-rules.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import type { PreferenceName } from './channels.ts';
import type { FitHistories, TeamRecord } from './fit-history.ts';
import type { Card, ChannelSettings, SeenProject, Subscription } from './records.ts';

export {
  type Card,
  CardButton,
  ChannelSettings,
  type MentionRule,
  type Mute,
  type MuteTarget,
  NoiseLevel,
  QuietHours,
  SkipReason,
  type Subscription,
} from './records.ts';

export interface SubscribeRequest {
  readonly channel: ChannelId;
  readonly filter: FilterId;
  /** In the query language; empty: every project. */
  readonly rules: string;
  /** How many past projects to post, too; each may cost a credit. 0: none. */
  readonly backfill: number;
  readonly by: UserId;
  /** `by` is an admin of the channel, and so confirms its spending. */
  readonly isAdmin?: boolean;
}

export type SubscribeOutcome =
  /** `changed`: the channel was subscribed before, and now has the new rules. */
  | {
      readonly kind: 'subscribed' | 'changed';
      readonly subscription: Subscription;
      readonly filterName?: string;
      /**
       * No known name confirms that the filter exists, and the marketplace shows no results or couldn't be
       * asked. The first read decides.
       */
      readonly unconfirmed?: 'no-results' | 'unchecked';
    }
  | { readonly kind: 'wrong-rules'; readonly mistake: QueryError }
  /** The filter couldn't be checked; nothing was stored. */
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
  /** Why no projects arrive, if so; the first reason that applies. */
  readonly state:
    | { readonly kind: 'live' }
    /** Subscribed, but not polled yet. */
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

export interface CardData {
  readonly card: Card;
  readonly seen: SeenProject;
  /** Those whose rules the project passed, with names if known. */
  readonly filters: readonly NamedFilter[];
  readonly settings: ChannelSettings;
  /** The card's thread shows what the card leaves out. */
  readonly hasDetailsInThread?: true;
}

export interface FilterHealth {
  readonly filter: NamedFilter;
  readonly channels: readonly ChannelId[];
  readonly lastPollAt?: Instant;
  readonly lastGoodAt?: Instant;
  readonly trouble?: Pick<SourceFailure, 'code' | 'since' | 'retryAt'>;
  /** Estimated projects per hour. */
  readonly perHour: number;
  /** Unread stretches of older projects, not paid for yet. */
  readonly gaps: number;
}

export interface FeedStatus {
  readonly trouble?: FilterHealth['trouble'];
  readonly filters: readonly FilterHealth[];
}

export interface ChangePreferencesOutcome {
  readonly changed: readonly PreferenceName[];
  /** Changed preferences that another person had also changed while the form was open. */
  readonly overwrittenPreferences: readonly PreferenceName[];
  readonly settings: ChannelSettings;
}

/** A channel's other feeds. They stop and restart together with its filters, in the same transaction. */
export interface ProfileFeedControl {
  /** @returns the creators of the feeds that this call stopped; feeds stopped before stay as they are */
  stopInChannel(
    tx: Transaction,
    channel: ChannelId,
    stopped: { readonly at: Instant; readonly error: string },
  ): Promise<ReadonlySet<UserId>>;
  /** @returns how many feeds restarted */
  restartInChannel(tx: Transaction, channel: ChannelId, at: Instant): Promise<number>;
}

export interface FeedContext
  extends Pick<
    Workspace,
    'store' | 'marketplace' | 'gate' | 'clock' | 'random' | 'log' | 'timezone' | 'clockGuard'
  > {
  readonly credits: CreditsService;
  readonly setups: SetupService;
  readonly directory: NameDirectory;
  readonly profileFeedControl?: ProfileFeedControl;
  /** Bids and proposals, to compare new projects with. Missing: only claims and skips count. */
  readonly teamRecord?: TeamRecord;
  /** People who follow projects themselves. Missing: nobody does. */
  readonly projectFollowers?: ProjectFollowers;
  readonly projectClaims?: ProjectClaims;
  /** Set by `createFeedService`. */
  readonly fitHistories?: FitHistories;
  /** A read begins that a hint waited for. Must not throw. */
  readonly onHintedRead?: () => void;
}

export interface FoundForChannels {
  readonly project: ProjectKey;
  readonly filter: FilterId;
  /** Where it was found, whether or not the channel's rules let it through. */
  readonly channels: readonly ChannelId[];
  readonly at: Instant;
  /** Rules made later don't count. */
  readonly since: Instant;
}

export interface ProjectFollowers {
  /** Whether anybody follows projects; asked once for each page. */
  hasAny(tx: ReadTransaction): Promise<boolean>;
  /** Stores that a filter found a project. Who is interested is decided after the page is stored. */
  noteFound(tx: Transaction, found: FoundForChannels): Promise<void>;
}
