/** Reads invitations and their cards, also by project; claims and releases them. */
import type { DirectoryEntryKind } from '../directory/directory.ts';
import type { ChannelId, InvitationUid, ProjectKey, UserId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import { readDirectoryName } from '../profiles/profile-feeds.ts';
import {
  type CardPlace,
  type Claimer,
  type ClaimOutcome,
  type ClaimsContext,
  claimCard,
  releaseCard,
} from '../sources/claims.ts';
import { listAllValues, type ReadTransaction, type Transaction } from '../storage/store.ts';
import {
  findInvitedProject,
  type InvitationCard,
  type InvitationRecord,
  invitationCards,
  invitationPostId,
  invitationRecords,
} from './records.ts';

export {
  findInvitedProject,
  type InvitationCard,
  type InvitationRecord,
  invitationPostId,
} from './records.ts';

/** All data that a card shows. Names are untrusted text. */
export interface InvitationCardData {
  readonly card: InvitationCard;
  readonly invitation: InvitationRecord;
  readonly profileName?: string;
  readonly organizationName?: string;
}

async function nameOf(
  tx: ReadTransaction,
  kind: DirectoryEntryKind,
  place: { readonly id: number; readonly label?: string | undefined } | undefined,
): Promise<string | undefined> {
  return !place || place.label ? place?.label : readDirectoryName(tx, kind, place.id);
}

/** undefined: the card was never posted there, or was deleted. */
export async function readInvitationCardData(tx: ReadTransaction, channel: ChannelId, uid: InvitationUid) {
  const card = await readInvitationCard(tx, channel, uid);
  const invitation = await readInvitation(tx, uid);
  if (card?.state !== 'posted' || !invitation) return undefined;
  return {
    card,
    invitation,
    profileName: await nameOf(tx, 'profile', invitation.profile),
    organizationName: await nameOf(tx, 'organization', invitation.organization),
  };
}

export function readInvitationCard(tx: ReadTransaction, channel: ChannelId, uid: InvitationUid) {
  return tx.get(invitationCards, [channel, uid]);
}

/** An invitation's cards in all channels, posted or not. */
export function listInvitationCards(tx: ReadTransaction, uid: InvitationUid): Promise<InvitationCard[]> {
  return listAllValues(tx, invitationCards, { index: 'byInvitation', prefix: [uid] });
}

export function readInvitation(tx: ReadTransaction, uid: InvitationUid) {
  return tx.get(invitationRecords, [uid]);
}

/** Newest claim first. */
export async function listInvitationCardsClaimedBy(tx: ReadTransaction, user: UserId, limit: number) {
  const range = { index: 'byClaimer', prefix: [user] as const, limit, reverse: true };
  return (await tx.list(invitationCards, range)).map(({ value }) => value);
}

/** The most invitations to one project that are updated. */
const MOST = 20;

async function invitationsTo(tx: ReadTransaction, project: ProjectKey) {
  const range = { index: 'byProject', prefix: [project], reverse: true, limit: MOST } as const;
  return (await tx.list(invitationRecords, range)).map(({ value }) => value);
}

async function listPostedCards(tx: ReadTransaction, project: ProjectKey) {
  const found: InvitationCard[] = [];
  for (const { uid } of await invitationsTo(tx, project)) found.push(...(await listInvitationCards(tx, uid)));
  const posted = found.filter(({ state }) => state === 'posted');
  return posted.map((card) => ({ ...card, post: invitationPostId(card.channel, card.uid) }));
}

/** The claims on the cards of invitations to a project. */
export async function listInvitationClaims(tx: ReadTransaction, project: ProjectKey) {
  const posted = await listPostedCards(tx, project);
  return posted.flatMap(({ claim, channel, post }) => (claim ? [{ ...claim, channel, post }] : []));
}

/** Updates the cards of invitations to a project in all channels. @returns their posts */
export async function markInvitationCardsChanged(tx: Transaction, project: ProjectKey) {
  const posted = await listPostedCards(tx, project);
  for (const { post } of posted) await markPostChanged(tx, post);
  return posted.map(({ channel, post }) => ({ channel, post }));
}

/** The post of the newest invitation to a project in a channel; undefined if none was posted. */
export async function findInvitationPost(tx: ReadTransaction, channel: ChannelId, project: ProjectKey) {
  for (const { uid } of await invitationsTo(tx, project))
    if ((await readInvitationCard(tx, channel, uid))?.state === 'posted')
      return invitationPostId(channel, uid);
  return undefined;
}

export function placeOfInvitation(channel: ChannelId, uid: InvitationUid): CardPlace<InvitationCard> {
  return {
    collection: invitationCards,
    key: [channel, uid],
    channel,
    post: invitationPostId(channel, uid),
    findProject: async (tx) => {
      const record = await readInvitation(tx, uid);
      return record && findInvitedProject(record)?.project;
    },
  };
}

/** Claiming an invitation again succeeds. @throws StorageError */
export function claimInvitation(
  context: ClaimsContext,
  channel: ChannelId,
  uid: InvitationUid,
  claimer: Claimer,
): Promise<ClaimOutcome> {
  return claimCard(context, placeOfInvitation(channel, uid), claimer, (card, claim) => ({ ...card, claim }));
}

/** @throws StorageError */
export function releaseInvitationClaim(
  context: ClaimsContext,
  channel: ChannelId,
  uid: InvitationUid,
  by: UserId,
  mayReleaseOthers: boolean,
): Promise<ClaimOutcome> {
  return releaseCard(context, placeOfInvitation(channel, uid), { by, mayReleaseOthers });
}

/** Bounds what one client's invitations cost to read. */
const MOST_OF_A_CLIENT = 50;

/** Other projects that the client of an invited project invited the team to. Empty if no client is known. */
export async function listInvitedProjectsOfClient(tx: ReadTransaction, project: ProjectKey) {
  const byProject = { index: 'byProject', prefix: [project] as const, limit: MOST_OF_A_CLIENT };
  const clients = new Set<string>();
  for (const { value } of await tx.list(invitationRecords, byProject))
    if (value.clientUid) clients.add(value.clientUid);
  const found: { project: ProjectKey; title: string }[] = [];
  for (const client of clients) {
    const byClient = { index: 'byClient', prefix: [client] as const, limit: MOST_OF_A_CLIENT };
    for (const { value } of await tx.list(invitationRecords, byClient)) {
      const invited = findInvitedProject(value);
      if (invited && invited.project !== project)
        found.push({ project: invited.project, title: value.title });
    }
  }
  return found;
}
