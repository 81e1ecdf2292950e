/** Reads invitations and their cards, also by project; claims and releases them. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { type DirectoryEntryKind, directoryEntries } from '../directory/directory.ts';
import type { ChannelId, InvitationUid, ProjectKey, TeamId, UserId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import { type ReadTransaction, scanCollection, type Transaction } from '../storage/store.ts';
import type { InvitationCardData, InvitationClaimOutcome, InvitationsContext } from './invitation-service.ts';
import {
  type InvitationCard,
  type InvitationRecord,
  invitationCardKey,
  invitationCards,
  invitationKey,
  invitationPostId,
  invitationRecords,
} from './records.ts';

async function nameOf(
  tx: ReadTransaction,
  team: TeamId,
  kind: DirectoryEntryKind,
  place: { readonly id: number; readonly label?: string | undefined } | undefined,
): Promise<string | undefined> {
  if (!place || place.label) return place?.label;
  return (await tx.get(directoryEntries, [team, kind, place.id]))?.name;
}

/** undefined: the card was never posted there, or was deleted. */
export async function readInvitationCardData(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  uid: InvitationUid,
): Promise<InvitationCardData | undefined> {
  const card = await readInvitationCard(tx, team, channel, uid);
  const invitation = await readInvitation(tx, team, uid);
  if (card?.state !== 'posted' || !invitation) return undefined;
  return omitUndefined({
    card,
    invitation,
    profileName: await nameOf(tx, team, 'profile', invitation.profile),
    organizationName: await nameOf(tx, team, 'organization', invitation.organization),
  });
}

export async function readInvitationCard(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  uid: InvitationUid,
): Promise<InvitationCard | undefined> {
  return tx.get(invitationCards, invitationCardKey(team, channel, uid));
}

export async function readInvitation(
  tx: ReadTransaction,
  team: TeamId,
  uid: InvitationUid,
): Promise<InvitationRecord | undefined> {
  return tx.get(invitationRecords, invitationKey(team, uid));
}

/** Newest claim first. */
export async function listInvitationCardsClaimedBy(
  tx: ReadTransaction,
  team: TeamId,
  user: UserId,
  limit: number,
): Promise<InvitationCard[]> {
  const range = { index: 'byClaimer', prefix: [team, user] as const, limit, reverse: true };
  return (await tx.list(invitationCards, range)).map(({ value }) => value);
}

/** The most invitations to one project that are updated. */
const MOST = 20;

/** Newest first. */
async function invitationsTo(tx: ReadTransaction, team: TeamId, project: ProjectKey) {
  const range = { index: 'byProject', prefix: [team, project], reverse: true, limit: MOST } as const;
  return (await tx.list(invitationRecords, range)).map(({ value }) => value);
}

export async function markInvitationCardsChanged(
  tx: Transaction,
  team: TeamId,
  project: ProjectKey,
): Promise<void> {
  for (const { uid } of await invitationsTo(tx, team, project)) {
    for await (const { value } of scanCollection(tx, invitationCards, {
      index: 'byInvitation',
      prefix: [team, uid],
    }))
      if (isTold(value)) await markPostChanged(tx, team, invitationPostId(value.channel, uid));
  }
}

function isTold(card: InvitationCard | undefined): boolean {
  return card?.state === 'posted';
}

/** The post of the newest invitation to a project in a channel; undefined if none was posted. */
export async function findInvitationPost(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  project: ProjectKey,
): Promise<PostId | undefined> {
  for (const { uid } of await invitationsTo(tx, team, project))
    if (isTold(await tx.get(invitationCards, invitationCardKey(team, channel, uid))))
      return invitationPostId(channel, uid);
  return undefined;
}

type Context = Pick<InvitationsContext, 'team' | 'store' | 'clock'>;

function changeCard(
  { team, store, clock }: Context,
  channel: ChannelId,
  uid: InvitationUid,
  change: (
    card: InvitationCard,
    at: Instant,
  ) => { readonly card?: InvitationCard; readonly outcome: InvitationClaimOutcome },
): Promise<InvitationClaimOutcome> {
  return store.transact(async (tx) => {
    const key = invitationCardKey(team, channel, uid);
    const before = await tx.get(invitationCards, key);
    if (before?.state !== 'posted') return { kind: 'no-card' };
    const { card, outcome } = change(before, clock.now());
    if (card) {
      await tx.put(invitationCards, key, card);
      await markPostChanged(tx, team, invitationPostId(channel, uid));
    }
    return outcome;
  });
}

/** Claiming an invitation again succeeds. @throws StorageError */
export function claimInvitation(
  context: Context,
  channel: ChannelId,
  uid: InvitationUid,
  by: UserId,
): Promise<InvitationClaimOutcome> {
  return changeCard(context, channel, uid, (card, at) => {
    const { claim } = card;
    if (!claim) return { card: { ...card, claim: { by, at } }, outcome: { kind: 'claimed' } };
    return { outcome: claim.by === by ? { kind: 'claimed' } : { kind: 'held', ...claim } };
  });
}

/** @throws StorageError */
export function releaseInvitationClaim(
  context: Context,
  channel: ChannelId,
  uid: InvitationUid,
  by: UserId,
  mayReleaseOthers: boolean,
): Promise<InvitationClaimOutcome> {
  return changeCard(context, channel, uid, (card) => {
    const { claim, ...free } = card;
    if (!claim) return { outcome: { kind: 'free' } };
    if (claim.by !== by && !mayReleaseOthers) return { outcome: { kind: 'held', ...claim } };
    return { card: free, outcome: { kind: 'released' } };
  });
}
