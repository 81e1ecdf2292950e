/** Enqueues posts of invitations: the card, its letter, status changes; and the summary of many. */
import type { Instant } from '../clock.ts';
import { readChannelSettings } from '../feed/channels.ts';
import { decideNewsPlace, findInvitationPace } from '../feed/decide-noise.ts';
import { isChannelQuiet } from '../feed/quiet-hours.ts';
import type { NoiseLevel } from '../feed/records.ts';
import { ChannelId, type InvitationUid } from '../ids.ts';
import { bundleWaitingPosts, releaseNewestPostsFromSummary } from '../outbox/card-summary.ts';
import { enqueuePost, markPostChanged } from '../outbox/outbox.ts';
import { PostId, posts } from '../outbox/posts.ts';
import { noteCardChange } from '../sources/card-changes.ts';
import type { Transaction } from '../storage/store.ts';
import { isLetterTruncated } from './decide-invitation.ts';
import { listInvitationCards } from './invitations.ts';
import {
  type InvitationRecord,
  invitationLetterPostId,
  invitationPostId,
  invitationRecords,
} from './records.ts';
import type { InvitationsContext } from './sources.ts';

/** Places a thread post after the card, and delays it while quiet hours delay the card. */
async function placeUnder(tx: Transaction, card: PostId, at: Instant) {
  const parent = await tx.get(posts, [card]);
  return {
    under: card,
    order: Math.max(at, (parent?.order ?? at) + 1),
    isHeld: parent?.state === 'held',
    at,
  };
}

function statusPostId(channel: ChannelId, uid: InvitationUid, change: number): PostId {
  return PostId.parse(`invitation-status:${channel}:${uid}:${change}`);
}

/**
 * For an invitation that moves into a summary: its letter is posted later with its card, which shows the
 * status.
 */
async function deleteThreadPosts(tx: Transaction, channel: ChannelId, uid: InvitationUid): Promise<void> {
  await tx.delete(posts, [invitationLetterPostId(channel, uid)]);
  const record = await tx.get(invitationRecords, [uid]);
  for (let change = 1; change <= (record?.statusChanges ?? 0); change++)
    await tx.delete(posts, [statusPostId(channel, uid, change)]);
}

async function enqueueLetterPost(
  tx: Transaction,
  { uid, letter }: InvitationRecord,
  channel: ChannelId,
  at: Instant,
): Promise<void> {
  if (!isLetterTruncated(letter)) return;
  const id = invitationLetterPostId(channel, uid);
  const place = await placeUnder(tx, invitationPostId(channel, uid), at);
  const content = { kind: 'invitation-letter', invitation: uid } as const;
  const isNew = await enqueuePost(tx, { id, channel, content, ...place });
  if (!isNew) await markPostChanged(tx, id);
}

/**
 * Posts an invitation's card, and the whole letter if the card shows only an excerpt. During quiet hours,
 * both wait.
 * @param timezone IANA name, for channels without their own
 */
export async function enqueueInvitationCard(
  tx: Transaction,
  record: InvitationRecord,
  channel: ChannelId,
  timezone: string,
  at: Instant,
): Promise<void> {
  const { uid } = record;
  const isHeld = await isChannelQuiet(tx, { timezone, channel }, at);
  const post = invitationPostId(channel, uid);
  await enqueuePost(tx, {
    id: post,
    channel,
    content: { kind: 'invitation', invitation: uid },
    // Oldest first. An invitation dated in the future counts as now.
    order: Math.min(record.invitedAt ?? at, at),
    isHeld,
    at,
  });
  await noteCardChange(tx, { channel, post, at });
  await enqueueLetterPost(tx, record, channel, at);
}

async function levelOf(tx: Transaction, channel: ChannelId): Promise<NoiseLevel> {
  return (await readChannelSettings(tx, channel)).level ?? 'normal';
}

async function enqueueStatusPost(
  tx: Transaction,
  before: InvitationRecord,
  now: InvitationRecord,
  channel: ChannelId,
  at: Instant,
): Promise<void> {
  const { uid, status, statusChanges } = now;
  if (status === undefined || statusChanges === before.statusChanges) return;
  const level = await levelOf(tx, channel);
  if (decideNewsPlace('invitation-status', level, true) === 'nothing') return;
  await enqueuePost(tx, {
    id: statusPostId(channel, uid, statusChanges),
    channel,
    content: { kind: 'invitation-status', title: now.title, before: before.status, status },
    ...(await placeUnder(tx, invitationPostId(channel, uid), at)),
  });
}

/** Updates an invitation's cards after a change, and posts a new status in their threads. */
export async function updateInvitationCards(
  tx: Transaction,
  before: InvitationRecord,
  now: InvitationRecord,
  at: Instant,
): Promise<void> {
  const { uid } = now;
  for (const { state, channel } of await listInvitationCards(tx, uid)) {
    if (state !== 'posted') continue;
    const id = invitationPostId(channel, uid);
    const post = await tx.get(posts, [id]);
    // A summary lists the invitation, which has no card of its own.
    if (post?.state === 'bundled' && post.bundle) {
      await markPostChanged(tx, post.bundle);
      continue;
    }
    await markPostChanged(tx, id);
    if (now.letter !== before.letter) await enqueueLetterPost(tx, now, channel, at);
    await enqueueStatusPost(tx, before, now, channel, at);
  }
}

/** Bundles waiting invitations of a channel if they are too many for its level, or join an open summary. */
export async function bundleInvitationsIntoSummary(tx: Transaction, channel: ChannelId, at: Instant) {
  const pace = findInvitationPace(await levelOf(tx, channel));
  const bundled = await bundleWaitingPosts(tx, { channel, of: 'invitation' }, at, pace);
  for (const { content } of bundled.taken)
    if (content.kind === 'invitation') await deleteThreadPosts(tx, channel, content.invitation);
  return bundled;
}

/** Posts the newest invitations of a summary on their own. @returns how many. @throws StorageError */
export function postMoreInvitationsFromSummary(
  { store, clock }: Pick<InvitationsContext, 'store' | 'clock'>,
  summary: PostId,
  count: number,
): Promise<number> {
  return store.transact(async (tx) => {
    const released = await releaseNewestPostsFromSummary(tx, summary, count);
    for (const { channel, content } of released) {
      if (content.kind !== 'invitation') continue;
      const record = await tx.get(invitationRecords, [content.invitation]);
      // Each gets its own card now: the letter goes in its thread.
      if (record) await enqueueLetterPost(tx, record, ChannelId.parse(channel), clock.now());
    }
    if (released.length > 0) await markPostChanged(tx, summary);
    return released.length;
  });
}
