/** From a pressed message back to the invitation that stands there: the press itself says nothing that is believed. */
import type { InvitationView } from '../../invitations/invitations.ts';
import { viewInvitation } from '../../invitations/view.ts';
import type { ActionCall } from '../routes.ts';
import { findPost } from './find-card.ts';

/** undefined: no invitation stands there, or none any more. */
export async function findInvitation(call: ActionCall): Promise<InvitationView | undefined> {
  const ts = call.message?.ts;
  const post = ts === undefined ? undefined : await findPost(call, ts);
  if (post?.content.kind !== 'invitation') return undefined;
  const { invitation } = post.content;
  const { store, team } = call.services;
  return store.read((tx) => viewInvitation(tx, team, call.channel, invitation));
}
