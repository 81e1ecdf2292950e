/** How many feeds there are, counted the same wherever it is told: each filter, and what is followed of each profile, once. */
import type { FilterId } from '../../ids.ts';
import type { ProfileFeedStatus } from '../../profiles/profile-feed-service.ts';

/** What is followed of a profile, in whatever channel. */
export function profileFeedKey({ feed: { kind, profile, organization } }: ProfileFeedStatus): string {
  return `${kind}:${profile}:${organization ?? 0}`;
}

export interface FollowedFeeds {
  readonly filters: readonly FilterId[];
  readonly profiles: readonly ProfileFeedStatus[];
}

/** Two channels that follow the same filter have one feed. */
export function countFeeds({ filters, profiles }: FollowedFeeds): number {
  return new Set(filters).size + new Set(profiles.map(profileFeedKey)).size;
}
