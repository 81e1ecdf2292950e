/** Clearing out what is older than 90 days, in small transactions. */
import type { Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { postKey, posts } from '../outbox/posts.ts';
import type { Position, ReadTransaction, Transaction } from '../storage/store.ts';
import type { InvitationsContext } from './context.ts';
import {
  type InvitationCard,
  invitationCardKey,
  invitationCards,
  invitationKey,
  invitationPostId,
  invitationRecords,
  KEPT_MS,
  letterPostId,
} from './records.ts';

const BATCH = 100;

async function isAlive(tx: ReadTransaction, card: InvitationCard, cutoff: Instant): Promise<boolean> {
  if (Math.max(card.foundAt, card.claim?.at ?? 0) >= cutoff) return true;
  const post = await tx.get(posts, postKey(card.team, invitationPostId(card.channel, card.uid)));
  return post?.state === 'held' || post?.state === 'waiting' || post?.state === 'sending';
}

async function clearCards(
  tx: Transaction,
  team: TeamId,
  cutoff: Instant,
  after: Position | undefined,
): Promise<Position | undefined> {
  const range = { index: 'byAge', prefix: [team], to: [cutoff], limit: BATCH } as const;
  const entries = await tx.list(invitationCards, after ? { ...range, after } : range);
  for (const { value: card } of entries) {
    if (await isAlive(tx, card, cutoff)) continue;
    const { channel, uid } = card;
    await tx.delete(invitationCards, invitationCardKey(team, channel, uid));
    for (const id of [invitationPostId(channel, uid), letterPostId(channel, uid)])
      await tx.delete(posts, postKey(team, id));
  }
  return entries.length < BATCH ? undefined : entries.at(-1)?.position;
}

/** What no card shows any more. */
async function clearRecords(
  tx: Transaction,
  team: TeamId,
  cutoff: Instant,
  after: Position | undefined,
): Promise<Position | undefined> {
  const range = { index: 'byAge', prefix: [team], to: [cutoff], limit: BATCH } as const;
  const entries = await tx.list(invitationRecords, after ? { ...range, after } : range);
  for (const { value } of entries) {
    const { uid } = value;
    const [card] = await tx.list(invitationCards, { index: 'byInvitation', prefix: [team, uid], limit: 1 });
    if (!card) await tx.delete(invitationRecords, invitationKey(team, uid));
  }
  return entries.length < BATCH ? undefined : entries.at(-1)?.position;
}

/** @throws StorageError */
export async function clearOldInvitations(
  { team, store, clock }: InvitationsContext,
  signal: AbortSignal,
): Promise<void> {
  const cutoff = clock.now() - KEPT_MS;
  for (const clear of [clearCards, clearRecords]) {
    let after: Position | undefined;
    do {
      const from = after;
      after = await store.transact((tx) => clear(tx, team, cutoff, from));
    } while (after && !signal.aborted);
  }
}
