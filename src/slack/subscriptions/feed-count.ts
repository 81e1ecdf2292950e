/** Counts feeds the same way everywhere: each filter and each followed profile once. Pure. */
import type { FilterId } from '../../ids.ts';
import type { ProfileFeedStatus } from '../../profiles/profile-feed-service.ts';

/** One key per profile feed, whichever channel follows it. */
export function profileFeedKey({ feed: { kind, profile, organization } }: ProfileFeedStatus): string {
  return `${kind}:${profile}:${organization ?? 0}`;
}

export interface FollowedFeeds {
  readonly filters: readonly FilterId[];
  readonly profiles: readonly ProfileFeedStatus[];
}

/** Two channels that follow the same filter share one feed. */
export function countFeeds({ filters, profiles }: FollowedFeeds): number {
  return new Set(filters).size + new Set(profiles.map(profileFeedKey)).size;
}
