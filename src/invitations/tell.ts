/** Posts of invitations: the card, its letter, and changes of its status, in the transaction that learned of them. */
import type { Instant } from '../clock.ts';
import { isQuietIn } from '../feed/quiet-posts.ts';
import type { ChannelId } from '../ids.ts';
import { enqueuePost, touchPost } from '../outbox/outbox.ts';
import { PostId, postKey, posts } from '../outbox/posts.ts';
import { scan, type Transaction } from '../storage/store.ts';
import { isCut } from './letters.ts';
import { type InvitationRecord, invitationCards, invitationPostId, letterPostId } from './records.ts';

/** Where a line of the card's thread is sent: behind the card, and held back while that is. */
async function placeUnder(tx: Transaction, { team }: InvitationRecord, card: PostId, at: Instant) {
  const parent = await tx.get(posts, postKey(team, card));
  return {
    under: card,
    order: Math.max(at, (parent?.order ?? at) + 1),
    isHeld: parent?.state === 'held',
    at,
  };
}

async function tellLetter(
  tx: Transaction,
  record: InvitationRecord,
  channel: ChannelId,
  at: Instant,
): Promise<void> {
  if (!isCut(record.letter)) return;
  const { team, uid } = record;
  const id = letterPostId(channel, uid);
  const place = await placeUnder(tx, record, invitationPostId(channel, uid), at);
  const content = { kind: 'invitation-letter', invitation: uid } as const;
  const isNew = await enqueuePost(tx, { team, id, channel, content, ...place });
  if (!isNew) await touchPost(tx, team, id);
}

/**
 * Tells a channel of an invitation: the card, and the whole letter where the card shows its beginning. In quiet hours both come
 * afterwards.
 * @param timezone IANA name; holds where the channel has none
 */
export async function tellInvitation(
  tx: Transaction,
  record: InvitationRecord,
  channel: ChannelId,
  timezone: string,
  at: Instant,
): Promise<void> {
  const { team, uid } = record;
  const isHeld = await isQuietIn(tx, { team, timezone, channel }, at);
  await enqueuePost(tx, {
    team,
    id: invitationPostId(channel, uid),
    channel,
    content: { kind: 'invitation', invitation: uid },
    // Of several the oldest first; one that is dated ahead waits for nobody.
    order: Math.min(record.invitedAt ?? at, at),
    isHeld,
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
  const was = before.status === undefined ? {} : { before: before.status };
  await enqueuePost(tx, {
    team,
    id: PostId.parse(`invitation-status:${channel}:${uid}:${statusChanges}`),
    channel,
    content: { kind: 'invitation-status', title: now.title, ...was, status },
    ...(await placeUnder(tx, now, invitationPostId(channel, uid), at)),
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
