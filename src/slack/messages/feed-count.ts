/** How many feeds there are, counted the same wherever it is told: each filter, and what is followed of each profile, once. */
import type { FilterId } from '../../ids.ts';
import type { ProfileFeedView } from '../../profiles/profiles.ts';

/** What is followed of a profile, in whatever channel. */
export function profileFeedKey({ feed: { kind, profile, organization } }: ProfileFeedView): string {
  return `${kind}:${profile}:${organization ?? 0}`;
}

export interface FollowedThings {
  readonly filters: readonly FilterId[];
  readonly profiles: readonly ProfileFeedView[];
}

/** Two channels that follow the same filter have one feed. */
export function countFeeds({ filters, profiles }: FollowedThings): number {
  return new Set(filters).size + new Set(profiles.map(profileFeedKey)).size;
}
