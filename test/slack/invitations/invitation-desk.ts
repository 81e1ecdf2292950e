/** A desk with an invitation in its channel. */
import { expect } from 'vitest';
import { InvitationUid, MessageTs, type UserId } from '../../../src/ids.ts';
import {
  type InvitationRecord,
  invitationCardKey,
  invitationCards,
  invitationKey,
  invitationPostId,
  invitationRecords,
} from '../../../src/invitations/records.ts';
import { enqueuePost } from '../../../src/outbox/outbox.ts';
import { postKey, posts } from '../../../src/outbox/posts.ts';
import type { ActionCall } from '../../../src/slack/core/routes.ts';
import { startDesk } from '../fakes.ts';
import { CHANNEL, NOW, TEAM } from '../samples.ts';
import { invitation } from './invitation-samples.ts';

export const CARD = MessageTs.parse('1795165020.000900');
export const UID = InvitationUid.parse(invitation().uid);

export async function startInvitationDesk(change: Partial<InvitationRecord> = {}) {
  const desk = startDesk();
  const { store } = desk.services;
  await store.transact(async (tx) => {
    const record = invitation(change);
    await tx.put(invitationRecords, invitationKey(TEAM, UID), record);
    await tx.put(invitationCards, invitationCardKey(TEAM, CHANNEL, UID), {
      team: TEAM,
      channel: CHANNEL,
      uid: UID,
      state: 'posted',
      foundAt: NOW,
    });
    const id = invitationPostId(CHANNEL, UID);
    const content = { kind: 'invitation', invitation: UID } as const;
    await enqueuePost(tx, { team: TEAM, id, channel: CHANNEL, content, order: NOW, at: NOW });
    const post = await tx.get(posts, postKey(TEAM, id));
    if (post) await tx.put(posts, postKey(TEAM, id), { ...post, state: 'posted', ts: CARD });
  });
  return {
    ...desk,
    /** A press in the newest window. */
    pressIn(user: UserId): ActionCall {
      const { id, view } = desk.views.at(-1) ?? expect.fail('no window');
      const pressed = { id, rootId: id, hash: '1', callbackId: 'notice', values: new Map() };
      const call = desk.press('window', undefined, user, 'bidder');
      return { ...call, view: { ...pressed, privateMetadata: view.private_metadata ?? '' } };
    },
    invitationCard: () => store.read((tx) => tx.get(invitationCards, invitationCardKey(TEAM, CHANNEL, UID))),
    invitationPost: () => store.read((tx) => tx.get(posts, postKey(TEAM, invitationPostId(CHANNEL, UID)))),
  };
}
