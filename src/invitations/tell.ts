/** Posts of invitations: the card, its letter, and changes of its status, in the transaction that learned of them. */
import type { Instant } from '../clock.ts';
import type { ChannelId } from '../ids.ts';
import { enqueuePost, touchPost } from '../outbox/outbox.ts';
import { PostId, postKey, posts } from '../outbox/posts.ts';
import { scan, type Transaction } from '../storage/store.ts';
import { isCut } from './letters.ts';
import { type InvitationRecord, invitationCards, invitationPostId, letterPostId } from './records.ts';

/** Where a line of the card's thread is sent: behind the card. */
async function orderUnder(tx: Transaction, { team }: InvitationRecord, card: PostId, at: Instant) {
  const parent = await tx.get(posts, postKey(team, card));
  return Math.max(at, (parent?.order ?? at) + 1);
}

async function tellLetter(
  tx: Transaction,
  record: InvitationRecord,
  channel: ChannelId,
  at: Instant,
): Promise<void> {
  if (!isCut(record.letter)) return;
  const { team, uid } = record;
  const under = invitationPostId(channel, uid);
  const id = letterPostId(channel, uid);
  const order = await orderUnder(tx, record, under, at);
  const content = { kind: 'invitation-letter', invitation: uid } as const;
  const isNew = await enqueuePost(tx, { team, id, channel, content, under, order, at });
  if (!isNew) await touchPost(tx, team, id);
}

/** Tells a channel of an invitation: the card, and the whole letter where the card shows its beginning. */
export async function tellInvitation(
  tx: Transaction,
  record: InvitationRecord,
  channel: ChannelId,
  at: Instant,
): Promise<void> {
  const { team, uid } = record;
  await enqueuePost(tx, {
    team,
    id: invitationPostId(channel, uid),
    channel,
    content: { kind: 'invitation', invitation: uid },
    // Of several the oldest first; one that is dated ahead waits for nobody.
    order: Math.min(record.invitedAt ?? at, at),
    at,
  });
  await tellLetter(tx, record, channel, at);
}

async function tellStatus(
  tx: Transaction,
  before: InvitationRecord,
  now: InvitationRecord,
  channel: ChannelId,
  at: Instant,
): Promise<void> {
  const { team, uid, status, statusChanges } = now;
  if (status === undefined || statusChanges === before.statusChanges) return;
  const under = invitationPostId(channel, uid);
  const was = before.status === undefined ? {} : { before: before.status };
  await enqueuePost(tx, {
    team,
    id: PostId.parse(`invitation-status:${channel}:${uid}:${statusChanges}`),
    channel,
    content: { kind: 'invitation-status', title: now.title, ...was, status },
    under,
    order: await orderUnder(tx, now, under, at),
    at,
  });
}

/** An invitation has changed: its cards show it, and their threads tell a new status. */
export async function tellChange(
  tx: Transaction,
  before: InvitationRecord,
  now: InvitationRecord,
  at: Instant,
): Promise<void> {
  const { team, uid } = now;
  for await (const { value } of scan(tx, invitationCards, { index: 'byInvitation', prefix: [team, uid] })) {
    if (value.state !== 'told') continue;
    const { channel } = value;
    await touchPost(tx, team, invitationPostId(channel, uid));
    if (now.letter !== before.letter) await tellLetter(tx, now, channel, at);
    await tellStatus(tx, before, now, channel, at);
  }
}
