/** Enqueues posts of invitations: the card, its letter, status changes; and the summary of many. */
import type { Instant } from '../clock.ts';
import { readChannelSettings } from '../feed/channels.ts';
import { decideNewsPlace, findInvitationPace } from '../feed/decide-noise.ts';
import { isChannelQuiet } from '../feed/quiet-hours.ts';
import type { NoiseLevel } from '../feed/records.ts';
import { ChannelId, type InvitationUid, type TeamId } from '../ids.ts';
import {
  type BundleResult,
  bundleWaitingPosts,
  releaseNewestPostsFromSummary,
} from '../outbox/card-summary.ts';
import { enqueuePost, markPostChanged } from '../outbox/outbox.ts';
import { PostId, postKey, posts } from '../outbox/posts.ts';
import { noteCardChange } from '../sources/card-changes.ts';
import type { Transaction } from '../storage/store.ts';
import { isLetterTruncated } from './decide-invitation.ts';
import { listInvitationCards } from './invitations.ts';
import {
  type InvitationRecord,
  invitationKey,
  invitationLetterPostId,
  invitationPostId,
  invitationRecords,
} from './records.ts';
import type { InvitationsContext } from './sources.ts';

/** Places a thread post after the card, and delays it while quiet hours delay the card. */
async function placeUnder(tx: Transaction, { team }: InvitationRecord, card: PostId, at: Instant) {
  const parent = await tx.get(posts, postKey(team, card));
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

/** The summary that lists the invitation, while it has no card of its own. */
async function summaryOf(
  tx: Transaction,
  { team, uid }: InvitationRecord,
  channel: ChannelId,
): Promise<PostId | undefined> {
  const post = await tx.get(posts, postKey(team, invitationPostId(channel, uid)));
  return post?.state === 'bundled' ? post.bundle : undefined;
}

/**
 * For an invitation that moves into a summary: its letter is posted later with its card, which shows the
 * status.
 */
async function deleteInvitationThreadPosts(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
  uid: InvitationUid,
): Promise<void> {
  await tx.delete(posts, postKey(team, invitationLetterPostId(channel, uid)));
  const record = await tx.get(invitationRecords, invitationKey(team, uid));
  for (let change = 1; change <= (record?.statusChanges ?? 0); change++)
    await tx.delete(posts, postKey(team, statusPostId(channel, uid, change)));
}

async function enqueueLetterPost(
  tx: Transaction,
  record: InvitationRecord,
  channel: ChannelId,
  at: Instant,
): Promise<void> {
  if (!isLetterTruncated(record.letter)) return;
  const { team, uid } = record;
  const id = invitationLetterPostId(channel, uid);
  const place = await placeUnder(tx, record, invitationPostId(channel, uid), at);
  const content = { kind: 'invitation-letter', invitation: uid } as const;
  const isNew = await enqueuePost(tx, { team, id, channel, content, ...place });
  if (!isNew) await markPostChanged(tx, team, id);
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
  const { team, uid } = record;
  const isHeld = await isChannelQuiet(tx, { team, timezone, channel }, at);
  const post = invitationPostId(channel, uid);
  await enqueuePost(tx, {
    team,
    id: post,
    channel,
    content: { kind: 'invitation', invitation: uid },
    // Oldest first. An invitation dated in the future counts as now.
    order: Math.min(record.invitedAt ?? at, at),
    isHeld,
    at,
  });
  await noteCardChange(tx, { team, channel, post, at });
  await enqueueLetterPost(tx, record, channel, at);
}

async function levelOf(tx: Transaction, team: TeamId, channel: ChannelId): Promise<NoiseLevel> {
  return (await readChannelSettings(tx, team, channel)).level ?? 'normal';
}

async function enqueueStatusPost(
  tx: Transaction,
  before: InvitationRecord,
  now: InvitationRecord,
  channel: ChannelId,
  at: Instant,
): Promise<void> {
  const { team, uid, status, statusChanges } = now;
  if (status === undefined || statusChanges === before.statusChanges) return;
  const level = await levelOf(tx, team, channel);
  if (decideNewsPlace('invitation-status', level, true) === 'nothing') return;
  const was = { before: before.status };
  await enqueuePost(tx, {
    team,
    id: statusPostId(channel, uid, statusChanges),
    channel,
    content: { kind: 'invitation-status', title: now.title, ...was, status },
    ...(await placeUnder(tx, now, invitationPostId(channel, uid), at)),
  });
}

/** Updates an invitation's cards after a change, and posts a new status in their threads. */
export async function updateInvitationCards(
  tx: Transaction,
  before: InvitationRecord,
  now: InvitationRecord,
  at: Instant,
): Promise<void> {
  const { team, uid } = now;
  for (const { state, channel } of await listInvitationCards(tx, team, uid)) {
    if (state !== 'posted') continue;
    const summary = await summaryOf(tx, now, channel);
    if (summary) {
      await markPostChanged(tx, team, summary);
      continue;
    }
    await markPostChanged(tx, team, invitationPostId(channel, uid));
    if (now.letter !== before.letter) await enqueueLetterPost(tx, now, channel, at);
    await enqueueStatusPost(tx, before, now, channel, at);
  }
}

/** Bundles waiting invitations of a channel if they are too many for its level, or join an open summary. */
export async function bundleInvitationsIntoSummary(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
  at: Instant,
): Promise<BundleResult> {
  const bundled = await bundleWaitingPosts(
    tx,
    { team, channel, of: 'invitation' },
    at,
    findInvitationPace(await levelOf(tx, team, channel)),
  );
  for (const { content } of bundled.taken)
    if (content.kind === 'invitation')
      await deleteInvitationThreadPosts(tx, team, channel, content.invitation);
  return bundled;
}

/** Posts the newest invitations of a summary on their own. @returns how many. @throws StorageError */
export function postMoreInvitationsFromSummary(
  { store, team, clock }: Pick<InvitationsContext, 'store' | 'team' | 'clock'>,
  summary: PostId,
  count: number,
): Promise<number> {
  return store.transact(async (tx) => {
    const released = await releaseNewestPostsFromSummary(tx, team, summary, count);
    for (const { channel, content } of released) {
      if (content.kind !== 'invitation') continue;
      const record = await tx.get(invitationRecords, invitationKey(team, content.invitation));
      // Each gets its own card now: the letter goes in its thread.
      if (record) await enqueueLetterPost(tx, record, ChannelId.parse(channel), clock.now());
    }
    if (released.length > 0) await markPostChanged(tx, team, summary);
    return released.length;
  });
}
