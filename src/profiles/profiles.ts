/** The contract of following profiles in channels. */
import type { Instant } from '../clock.ts';
import type { DirectoryEntry } from '../directory/directory.ts';
import type { ChannelId, OrganizationId, ProfileId, UserId } from '../ids.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { ProfileFeed, ProfileFeedKind, ProfileSync } from './records.ts';

export { ProfileFeedKind } from './records.ts';

export interface FollowProfileRequest {
  readonly channel: ChannelId;
  readonly kind: ProfileFeedKind;
  readonly profile: ProfileId;
  readonly organization?: OrganizationId;
  readonly by: UserId;
}

export type FollowProfileOutcome =
  /**
   * `nothingYet`: the marketplace lists no proposal or invitation, which also happens for a wrong
   * organization.
   */
  | { readonly kind: 'followed'; readonly feed: ProfileFeed; readonly nothingYet?: true }
  /** `recovered`: it couldn't be read before, and now it can. */
  | { readonly kind: 'there'; readonly feed: ProfileFeed; readonly recovered?: true }
  /** This token has no such profile in the marketplace; `known` lists other profiles with known names. */
  | { readonly kind: 'no-such-profile'; readonly known: readonly DirectoryEntry[] }
  /** The check failed; nothing was stored. */
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
   * Requests one page to check that the profile exists, learns the names on it, and stores the feed with its
   * audit entry. A feed that exists is `there` and causes no request, unless it has stopped or is failing.
   * Then it is retried now, whatever its pause.
   */
  followInChannel(request: FollowProfileRequest): Promise<FollowProfileOutcome>;
  /** @returns the removed feed; undefined when there was none. Posted messages stay as they are. */
  unfollowInChannel(
    feed: Pick<ProfileFeed, 'channel' | 'kind' | 'profile' | 'organization'>,
    by: UserId,
  ): Promise<ProfileFeed | undefined>;
  listChannelProfileFeeds(channel: ChannelId): Promise<readonly ProfileFeedStatus[]>;
  /** All feeds, for the status and to decide what to read. */
  listAllProfileFeeds(): Promise<readonly ProfileFeedStatus[]>;
  /** Called after each change of feeds, so that new ones are read at once. The listener must not throw. */
  onChange(listener: () => void): void;
}
