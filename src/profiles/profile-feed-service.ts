/** The contract of following profiles in channels. */
import type { Instant } from '../clock.ts';
import type { DirectoryEntry } from '../directory/directory.ts';
import type { ChannelId, OrganizationId, ProfileId, UserId } from '../ids.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { ProfileFeed, ProfileFeedKind, ProfileSync } from './records.ts';

export interface FollowProfileRequest {
  readonly channel: ChannelId;
  readonly kind: ProfileFeedKind;
  readonly profile: ProfileId;
  readonly organization?: OrganizationId;
  readonly by: UserId;
}

export type FollowProfileOutcome =
  /** `nothingYet`: the marketplace has no proposal or invitation of it, as it would for a wrong organization. */
  | { readonly kind: 'followed'; readonly feed: ProfileFeed; readonly nothingYet?: true }
  /** `recovered`: it could not be read, and now it can. */
  | { readonly kind: 'there'; readonly feed: ProfileFeed; readonly recovered?: true }
  /** The marketplace knows no such profile for this token; `known` are others whose names we know. */
  | { readonly kind: 'no-such-profile'; readonly known: readonly DirectoryEntry[] }
  /** It could not be checked; nothing was stored. */
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

export interface ProfileFeedStatus {
  readonly feed: ProfileFeed;
  readonly profileName?: string;
  readonly organizationName?: string;
  readonly sync?: ProfileSync;
  readonly lastGoodAt?: Instant;
}

export interface ProfileFeedService {
  /**
   * Asks for one page to see whether the profile is there, learns the names on it, and stores the feed with its audit
   * entry. What is followed already is `there`, and nothing is asked, unless it had stopped or is in trouble: then it is tried
   * now, whatever pause that was in.
   */
  followInChannel(request: FollowProfileRequest): Promise<FollowProfileOutcome>;
  /** @returns the feed that was ended; undefined when there was none. Nothing that is posted is touched. */
  unfollowInChannel(
    feed: Pick<ProfileFeed, 'channel' | 'kind' | 'profile' | 'organization'>,
    by: UserId,
  ): Promise<ProfileFeed | undefined>;
  /** Of a channel. */
  listChannelProfileFeeds(channel: ChannelId): Promise<readonly ProfileFeedStatus[]>;
  /** All that is followed, for status and for what is to be read. */
  listAllProfileFeeds(): Promise<readonly ProfileFeedStatus[]>;
  /** Channels that follow a profile in this way, inside a transaction. */
  listProfileFollowers(
    tx: ReadTransaction,
    kind: ProfileFeedKind,
    profile: ProfileId,
  ): Promise<readonly ProfileFeed[]>;
  /** Told after each change of what is followed, so that it is read at once; the listener must not throw. */
  onChange(listener: () => void): void;
}
