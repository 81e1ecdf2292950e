/** Records of channels that follow a profile: its invitations, or the outcomes of its proposals. */

import { z } from 'zod';
import { ChannelId, OrganizationId, ProfileId, UserId } from '../ids.ts';
import { OutcomeCounts } from '../outbox/news.ts';
import { SourceFailure } from '../sources/failure-rules.ts';
import { collection, type Key } from '../storage/store.ts';

const instant = z.number();

export const ProfileFeedKind = z.enum(['invitations', 'outcomes']);
export type ProfileFeedKind = z.infer<typeof ProfileFeedKind>;

export const ProfileFeed = z.object({
  channel: ChannelId,
  kind: ProfileFeedKind,
  profile: ProfileId,
  /** Only for invitations: those of one organization. */
  organization: OrganizationId.optional(),
  by: UserId,
  createdAt: instant,
  /** Anything earlier is history: known, but not announced. */
  startsAt: instant,
  /** For invitations: when the first completed sync that included this feed began. */
  firstReadAt: instant.optional(),
  /** Slack permanently refuses the channel (`error`); Resume restarts the feed. */
  stopped: z
    .object({
      at: instant,
      error: z.string(),
      /** For outcomes: counts since then, posted in one message after the restart. */
      heldBack: OutcomeCounts.optional(),
    })
    .optional(),
});
export type ProfileFeed = z.infer<typeof ProfileFeed>;

export const profileFeeds = collection({
  name: 'profile-feeds',
  schema: ProfileFeed,
  key: profileFeedKey,
  indexes: { byProfile: (it) => [it.kind, it.profile, it.channel] },
});

/** [submittedAt or 0, id]: a proposal's position in time. */
const place = z.tuple([z.number(), z.number()]);

/** A part of a profile's list of proposals without gaps; see proposals/copy-plan.ts. */
export const CopiedProposalRange = z.object({
  newest: place,
  oldest: place,
  /**
   * The number of items from the start of the list to the end of this run, when the server's total was
   * `total`.
   */
  end: z.number(),
  total: z.number().optional(),
  /** Nothing comes after it. */
  atEnd: z.boolean(),
  /** The run is known not to begin at the start of the list. */
  isFloating: z.literal(true).optional(),
});
export type CopiedProposalRange = z.infer<typeof CopiedProposalRange>;

/** The sync state of a profile's proposals or invitations. */
export const ProfileSync = z.object({
  of: z.enum(['proposals', 'invitations']),
  profile: ProfileId,
  organization: OrganizationId.optional(),
  /** When the newest page was last read successfully. */
  readAt: instant.optional(),
  /** When the last 60 days were last swept, and the next page of a running sweep. */
  sweptAt: instant.optional(),
  sweepPage: z.number().optional(),
  /** A running or the next sweep goes to the end of the list, not just 60 days back: something is missing. */
  sweepAll: z.boolean().optional(),
  /** How many new proposals a running sweep has found so far. */
  sweepFound: z.number().optional(),
  unfollowedAt: instant.optional(),
  /**
   * For proposals: the copy of the list. `total` is the server's number; `copiedAt` is set once the first
   * copy is complete.
   */
  copy: z
    .object({
      startedAt: instant,
      requests: z.number(),
      total: z.number().optional(),
      copiedAt: instant.optional(),
      /** How many proposals of the profile were stored after the last page. */
      held: z.number().optional(),
      unreadable: z.number().optional(),
      /** Pages copied since the newest page was read. */
      sinceNewest: z.number().optional(),
      /** How many fewer than `total` are stored although the whole list was read. */
      shortBy: z.number().optional(),
      size: z.number().optional(),
      /** The server lists the oldest first, whatever the request says. */
      ascending: z.boolean().optional(),
      /** The parts stored without gaps; see proposals/copy-plan.ts. */
      runs: z.array(CopiedProposalRange).optional(),
    })
    .optional(),
  trouble: SourceFailure.optional(),
});
export type ProfileSync = z.infer<typeof ProfileSync>;

export const profileSyncs = collection({
  name: 'profile-syncs',
  schema: ProfileSync,
  key: profileSyncKey,
});

export function profileFeedKey(it: Pick<ProfileFeed, 'channel' | 'kind' | 'profile' | 'organization'>): Key {
  return [it.channel, it.kind, it.profile, it.organization ?? 0];
}

export function profileSyncKey(it: Pick<ProfileSync, 'of' | 'profile' | 'organization'>): Key {
  return [it.of, it.profile, it.organization ?? 0];
}
