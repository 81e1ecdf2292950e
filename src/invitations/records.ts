/** Stored records of invitations: what their cards show, each channel's card, and an invitation's project. */
import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, InvitationUid, OrganizationId, ProfileId, ProjectKey, UserId } from '../ids.ts';
import type { ProjectReference } from '../marketplace/client.ts';
import { PostId } from '../outbox/posts.ts';
import { collection } from '../storage/store.ts';

export interface InvitedProject {
  readonly reference: ProjectReference;
  /** The same key as for `/gig bid` with this id. */
  readonly project: ProjectKey;
  readonly marketplaceJobId: string;
}

/** undefined: the invitation has no project id that can be looked up or bid on. */
export function findInvitedProject(
  invitation: Pick<z.infer<typeof InvitationRecord>, 'jobPostingUid'>,
): InvitedProject | undefined {
  const id = invitation.jobPostingUid?.trim() ?? '';
  if (/^~\d{1,40}$/u.test(id))
    return { reference: { ciphertext: id }, project: ProjectKey.parse(id), marketplaceJobId: id };
  if (!/^[\w-]{1,100}$/u.test(id)) return undefined;
  return { reference: { uid: id }, project: ProjectKey.parse(`uid:${id}`), marketplaceJobId: id };
}

const instant = z.number();

const INVITATION_RETENTION_MS = 90 * DAY;

const place = <T extends z.ZodType>(id: T) => z.object({ id, label: z.string().optional() });

/** An invitation posted to a channel, as last read. */
export const InvitationRecord = z.object({
  uid: InvitationUid,
  title: z.string(),
  /** As much as one message fits; `letterLength` is the length of the whole letter. */
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
  /** Counts status changes, so that each is posted once. */
  statusChanges: z.number(),
});
export type InvitationRecord = z.infer<typeof InvitationRecord>;

export const invitationRecords = collection({
  name: 'invitations',
  schema: InvitationRecord,
  key: (it) => [it.uid],
  indexes: {
    byAge: (it) => [it.foundAt],
    /** [project, found] */
    byProject: (it) => {
      const invited = findInvitedProject(it);
      return invited && [invited.project, it.foundAt];
    },
    /** [client, found] */
    byClient: (it) => (it.clientUid ? [it.clientUid, it.foundAt] : undefined),
  },
  keepFor: { ms: INVITATION_RETENTION_MS },
});

/** A channel's card for an invitation, one per invitation. */
export const InvitationCard = z.object({
  channel: ChannelId,
  uid: InvitationUid,
  /** posted: its post is in the outbox · past: it existed before the channel followed. */
  state: z.enum(['posted', 'past']),
  /** The time of the invitation, if the server sent it. */
  invitedAt: instant.optional(),
  /** When the read that found it began. */
  foundAt: instant,
  claim: z.object({ by: UserId, at: instant, isPublic: z.boolean().optional() }).optional(),
  /** Stays after a release. */
  firstClaim: z.object({ by: UserId, at: instant }).optional(),
});
export type InvitationCard = z.infer<typeof InvitationCard>;

export const invitationCards = collection({
  name: 'invitation-cards',
  schema: InvitationCard,
  key: (it) => [it.channel, it.uid],
  indexes: {
    /** [uid, channel] */
    byInvitation: (it) => [it.uid, it.channel],
    /** [claimed by, claimed at] */
    byClaimer: (it) => it.claim && [it.claim.by, it.claim.at],
    byAge: (it) => [it.foundAt],
  },
  keepFor: { ms: INVITATION_RETENTION_MS },
});

export function invitationPostId(channel: ChannelId, uid: InvitationUid): PostId {
  return PostId.parse(`invitation:${channel}:${uid}`);
}

/** The thread post with the whole letter. */
export function invitationLetterPostId(channel: ChannelId, uid: InvitationUid): PostId {
  return PostId.parse(`invitation-letter:${channel}:${uid}`);
}
