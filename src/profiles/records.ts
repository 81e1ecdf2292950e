/** Channels that follow a connected marketplace profile: its invitations, or what becomes of its proposals. */
import { z } from 'zod';
import { ChannelId, OrganizationId, ProfileId, TeamId, UserId } from '../ids.ts';
import { OutcomeCounts } from '../outbox/outcome-news.ts';
import type { Collection, Key } from '../storage/store.ts';

const instant = z.number();

export const ProfileFeedKind = z.enum(['invitations', 'outcomes']);
export type ProfileFeedKind = z.infer<typeof ProfileFeedKind>;

/** Key: [team, channel, kind, profile, organization or 0]. */
export const ProfileFeed = z.object({
  team: TeamId,
  channel: ChannelId,
  kind: ProfileFeedKind,
  profile: ProfileId,
  /** Only of invitations: those of one organization. */
  organization: OrganizationId.optional(),
  by: UserId,
  createdAt: instant,
  /** What was there before this is the past: known, not told. */
  startsAt: instant,
  /** Of invitations: when the first reading began that it was part of, and that came to its end. */
  firstReadAt: instant.optional(),
  /** Slack refuses the channel for good (`error`); `/gig resume` goes on. */
  stopped: z
    .object({
      at: instant,
      error: z.string(),
      /** Of outcomes: what came about since, told in one message then. */
      heldBack: OutcomeCounts.optional(),
    })
    .optional(),
});
export type ProfileFeed = z.infer<typeof ProfileFeed>;

export const profileFeeds: Collection<ProfileFeed> = {
  name: 'profile-feeds',
  schema: ProfileFeed,
  indexes: {
    /** [team, kind, profile, channel] */
    byProfile: (it) => [it.team, it.kind, it.profile, it.channel],
  },
};

/** [submittedAt or 0, id]: where a proposal stands in time. */
const place = z.tuple([z.number(), z.number()]);

/** A stretch of a profile's list of proposals without a gap; see proposals/copy-plan.ts. */
export const CopiedRange = z.object({
  newest: place,
  oldest: place,
  /** Places of the list from its beginning to the end of this run, when the server's total was `total`. */
  end: z.number(),
  total: z.number().optional(),
  /** Nothing comes behind it. */
  atEnd: z.boolean(),
  /** It is known not to begin where the list begins. */
  isFloating: z.literal(true).optional(),
});
export type CopiedRange = z.infer<typeof CopiedRange>;

/** How the reading of a profile's proposals or invitations stands. Key: [team, of, profile, organization or 0]. */
export const ProfileSync = z.object({
  team: TeamId,
  of: z.enum(['proposals', 'invitations']),
  profile: ProfileId,
  organization: OrganizationId.optional(),
  /** When the newest page was last read well. */
  readAt: instant.optional(),
  /** When the last 60 days were last swept, and how far a sweep under way has come (its next page). */
  sweptAt: instant.optional(),
  sweepPage: z.number().optional(),
  /** A sweep under way, or the next one, goes to the end of the list instead of 60 days back: something is missing. */
  sweepAll: z.boolean().optional(),
  /** What a sweep under way has brought so far that was not held. */
  sweepFound: z.number().optional(),
  /** Nobody follows the profile since then. */
  unfollowedAt: instant.optional(),
  /** Of proposals: the copy of the list. `total` in the server's words; `copiedAt` once the first copy is complete. */
  copy: z
    .object({
      startedAt: instant,
      requests: z.number(),
      total: z.number().optional(),
      copiedAt: instant.optional(),
      /** How many proposals of the profile were held after the last page. */
      held: z.number().optional(),
      /** Items that could not be read. */
      unreadable: z.number().optional(),
      /** Pages that were copied since the newest one was read. */
      sinceNewest: z.number().optional(),
      /** How many fewer than `total` are held although all was looked through. */
      shortBy: z.number().optional(),
      /** The page size that the server kept to. */
      size: z.number().optional(),
      /** The server lists the oldest first, whatever it was asked for. */
      ascending: z.boolean().optional(),
      /** What is held without a gap; see proposals/copy-plan.ts. */
      runs: z.array(CopiedRange).optional(),
    })
    .optional(),
  /** `code` is a MarketplaceErrorCode; `told`: the channels that have heard of it. */
  trouble: z
    .object({
      code: z.string(),
      since: instant,
      failures: z.number(),
      retryAt: instant,
      told: z.array(ChannelId).optional(),
    })
    .optional(),
});
export type ProfileSync = z.infer<typeof ProfileSync>;

export const profileSyncs: Collection<ProfileSync> = {
  name: 'profile-syncs',
  schema: ProfileSync,
  indexes: {},
};

export function profileFeedKey(
  it: Pick<ProfileFeed, 'team' | 'channel' | 'kind' | 'profile' | 'organization'>,
): Key {
  return [it.team, it.channel, it.kind, it.profile, it.organization ?? 0];
}

export function profileSyncKey(it: Pick<ProfileSync, 'team' | 'of' | 'profile' | 'organization'>): Key {
  return [it.team, it.of, it.profile, it.organization ?? 0];
}
