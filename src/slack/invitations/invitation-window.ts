/**
 * An open window about one invitation. Our record of it names the invitation and its channel; nothing in the
 * window itself is trusted.
 */
import { z } from 'zod';
import { ChannelId, InvitationUid, TeamId, UserId } from '../../ids.ts';
import { type InvitationCardData, readInvitationCardData } from '../../invitations/invitations.ts';
import {
  createPersonalRecordCollection,
  newPersonalRecordId,
  PersonalRecordId,
  readPersonalRecord,
  savePersonalRecord,
} from '../core/handler-steps.ts';
import type { ActionCall, ViewButtonPress, ViewInteraction } from '../core/routes.ts';

/** Key: [team, user, id]. */
const InvitationWindow = z.object({
  team: TeamId,
  user: UserId,
  id: PersonalRecordId,
  at: z.number(),
  channel: ChannelId,
  uid: InvitationUid,
});
export type InvitationWindow = z.infer<typeof InvitationWindow>;

export const invitationWindows = createPersonalRecordCollection('invitation-windows', InvitationWindow);

/** Stores that the person opens a window about an invitation of this channel. */
export function saveInvitationWindow(
  { services, person, channel }: Pick<ActionCall, 'services' | 'person' | 'channel'>,
  uid: InvitationUid,
): Promise<InvitationWindow> {
  const { store, team, clock, random } = services;
  const id = newPersonalRecordId(random);
  const window = { team, user: person.user, id, at: clock.now(), channel, uid };
  return store.transact((tx) => savePersonalRecord(tx, invitationWindows, window));
}

/** The person's own window; undefined for any other, and after a day. */
function findWindow({ services, user, view }: ViewInteraction): Promise<InvitationWindow | undefined> {
  const { store, team } = services;
  return store.read((tx) => readPersonalRecord(tx, invitationWindows, { team, user }, view.privateMetadata));
}

/** For `ActionRoute.findChannel`. */
export async function findInvitationWindowChannel(press: ViewButtonPress): Promise<ChannelId | undefined> {
  return (await findWindow(press))?.channel;
}

export interface PressedInvitation {
  readonly data: InvitationCardData;
  /** Missing: its card was pressed, not a window. */
  readonly window?: InvitationWindow;
}

/** The window and its invitation, for a press in it. undefined: it is too old, or the invitation is gone. */
export async function findPressedInvitationWindow(call: ActionCall): Promise<PressedInvitation | undefined> {
  const { services, person, view } = call;
  const { store, team } = services;
  const window = view && (await findWindow({ services, user: person.user, view }));
  if (!window) return undefined;
  const data = await store.read((tx) => readInvitationCardData(tx, team, window.channel, window.uid));
  return data && { data, window };
}
