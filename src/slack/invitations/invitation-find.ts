/** Finds the invitation of a pressed message; nothing in the press itself is trusted. */

import { readInvitationCardData } from '../../invitations/invitation-card-data.ts';
import type { InvitationCardData } from '../../invitations/invitation-service.ts';
import { findPressedPost } from '../core/handler-steps.ts';
import type { ActionCall } from '../core/routes.ts';

/** undefined: the message has no invitation (anymore). */
export async function findPressedInvitation(call: ActionCall): Promise<InvitationCardData | undefined> {
  const ts = call.message?.ts;
  const post = ts === undefined ? undefined : await findPressedPost(call, ts);
  if (post?.content.kind !== 'invitation') return undefined;
  const { invitation } = post.content;
  const { store, team } = call.services;
  return store.read((tx) => readInvitationCardData(tx, team, call.channel, invitation));
}
