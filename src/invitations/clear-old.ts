/** Deletes records older than 90 days, in small transactions. */
import type { Instant } from '../clock.ts';
import { isPostPending, postKey, posts } from '../outbox/posts.ts';
import { clearEachOldRecord } from '../storage/delete-old-records.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { InvitationsContext } from './context.ts';
import {
  INVITATION_RETENTION_MS,
  type InvitationCard,
  type InvitationRecord,
  invitationCardKey,
  invitationCards,
  invitationKey,
  invitationLetterPostId,
  invitationPostId,
  invitationRecords,
} from './records.ts';

async function isAlive(tx: ReadTransaction, card: InvitationCard, cutoff: Instant): Promise<boolean> {
  if (Math.max(card.foundAt, card.claim?.at ?? 0) >= cutoff) return true;
  const post = await tx.get(posts, postKey(card.team, invitationPostId(card.channel, card.uid)));
  return isPostPending(post);
}

async function clearCard(tx: Transaction, card: InvitationCard, cutoff: Instant): Promise<void> {
  if (await isAlive(tx, card, cutoff)) return;
  const { team, channel, uid } = card;
  await tx.delete(invitationCards, invitationCardKey(team, channel, uid));
  for (const id of [invitationPostId(channel, uid), invitationLetterPostId(channel, uid)])
    await tx.delete(posts, postKey(team, id));
}

/** Deletes invitations without cards. */
async function clearRecord(tx: Transaction, { team, uid }: InvitationRecord): Promise<void> {
  const [card] = await tx.list(invitationCards, { index: 'byInvitation', prefix: [team, uid], limit: 1 });
  if (!card) await tx.delete(invitationRecords, invitationKey(team, uid));
}

/** @throws StorageError */
export async function clearOldInvitations(
  { team, store, clock }: InvitationsContext,
  signal: AbortSignal,
): Promise<void> {
  const old = { team, at: clock.now(), keptMs: INVITATION_RETENTION_MS };
  const shown = { ...old, collection: invitationCards };
  await clearEachOldRecord(store, { ...shown, clear: clearCard }, signal);
  await clearEachOldRecord(store, { ...old, collection: invitationRecords, clear: clearRecord }, signal);
}
