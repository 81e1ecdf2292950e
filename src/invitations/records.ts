/** What is kept of invitations: what their cards show, and what each channel has to do with them. */
import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, InvitationUid, OrganizationId, ProfileId, TeamId, UserId } from '../ids.ts';
import { PostId } from '../outbox/posts.ts';
import { enumWithOlderValues } from '../storage/older-names.ts';
import type { Collection, Key } from '../storage/store.ts';
import { findInvitedProject } from './project.ts';

const instant = z.number();

/** What is older is cleared out. */
export const INVITATION_RETENTION_MS = 90 * DAY;

const place = <T extends z.ZodType>(id: T) => z.object({ id, label: z.string().optional() });

/** An invitation that some channel was told of, as last read. Key: [team, uid]. */
export const InvitationRecord = z.object({
  team: TeamId,
  uid: InvitationUid,
  title: z.string(),
  /** What one message can hold of it; `letterLength` is that of the whole. */
  letter: z.string(),
  letterLength: z.number(),
  jobPostingUid: z.string().optional(),
  clientUid: z.string().optional(),
  profile: place(ProfileId).optional(),
  organization: place(OrganizationId).optional(),
  contractor: z.object({ id: z.number(), name: z.string().optional() }).optional(),
  invitedAt: instant.optional(),
  updatedAt: instant.optional(),
  /** In the server's words. */
  status: z.string().optional(),
  foundAt: instant,
  /** Counts changes of the status, so that each is told once. */
  statusChanges: z.number(),
});
export type InvitationRecord = z.infer<typeof InvitationRecord>;

export const invitationRecords: Collection<InvitationRecord> = {
  name: 'invitations',
  schema: InvitationRecord,
  indexes: {
    /** [team, found]: for clearing out the old. */
    byAge: (it) => [it.team, it.foundAt],
    /** [team, project, found] */
    byProject: (it) => {
      const invited = findInvitedProject(it);
      return invited && [it.team, invited.project, it.foundAt];
    },
  },
};

/** What a channel has to do with an invitation. One each. Key: [team, channel, uid]. */
export const InvitationCard = z.object({
  team: TeamId,
  channel: ChannelId,
  uid: InvitationUid,
  /** posted: its post is in the outbox · past: it was there before the channel followed. */
  state: enumWithOlderValues(['posted', 'past'], { told: 'posted' }),
  /** When it was invited, as far as the server told. */
  invitedAt: instant.optional(),
  /** When the reading began that found it. */
  foundAt: instant,
  claim: z.object({ by: UserId, at: instant }).optional(),
});
export type InvitationCard = z.infer<typeof InvitationCard>;

export const invitationCards: Collection<InvitationCard> = {
  name: 'invitation-cards',
  schema: InvitationCard,
  indexes: {
    /** [team, uid, channel] */
    byInvitation: (it) => [it.team, it.uid, it.channel],
    /** [team, who claimed it, when] */
    byClaimer: (it) => it.claim && [it.team, it.claim.by, it.claim.at],
    /** [team, found]: for clearing out the old. */
    byAge: (it) => [it.team, it.foundAt],
  },
};

export function invitationKey(team: TeamId, uid: InvitationUid): Key {
  return [team, uid];
}

export function invitationCardKey(team: TeamId, channel: ChannelId, uid: InvitationUid): Key {
  return [team, channel, uid];
}

/** The post of an invitation's card in a channel. */
export function invitationPostId(channel: ChannelId, uid: InvitationUid): PostId {
  return PostId.parse(`invitation:${channel}:${uid}`);
}

/** The post that holds its whole letter, in the card's thread. */
export function invitationLetterPostId(channel: ChannelId, uid: InvitationUid): PostId {
  return PostId.parse(`invitation-letter:${channel}:${uid}`);
}
