/** The contract of following profiles in channels. */
import type { Instant } from '../clock.ts';
import type { ChannelId, OrganizationId, ProfileId, UserId } from '../ids.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { ProfileFeed, ProfileFeedKind, ProfileSync } from './records.ts';

export interface FollowRequest {
  readonly channel: ChannelId;
  readonly kind: ProfileFeedKind;
  readonly profile: ProfileId;
  readonly organization?: OrganizationId;
  readonly by: UserId;
}

export type FollowOutcome =
  | { readonly kind: 'followed' | 'there'; readonly feed: ProfileFeed }
  /** The marketplace knows no such profile for this token. */
  | { readonly kind: 'no-such-profile' }
  /** It could not be checked; nothing was stored. */
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

export interface ProfileFeedView {
  readonly feed: ProfileFeed;
  readonly sync?: ProfileSync;
  readonly lastGoodAt?: Instant;
}

export interface Profiles {
  /** Asks for one page to see whether the profile is there; stores the feed with its audit entry. */
  follow(request: FollowRequest): Promise<FollowOutcome>;
  /** @returns the feed that was ended; undefined when there was none. Nothing that is posted is touched. */
  unfollow(request: FollowRequest): Promise<ProfileFeed | undefined>;
  /** Of a channel. */
  feeds(channel: ChannelId): Promise<readonly ProfileFeedView[]>;
  /** All that is followed, for status and for what is to be read. */
  all(): Promise<readonly ProfileFeedView[]>;
  /** Channels that follow a profile in this way, inside a transaction. */
  followers(tx: ReadTransaction, kind: ProfileFeedKind, profile: ProfileId): Promise<readonly ProfileFeed[]>;
}
