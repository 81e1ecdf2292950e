/**
 * An open window about one invitation. Our record of it names the invitation and its channel; nothing in the
 * window itself is trusted.
 */
import { z } from 'zod';
import { InvitationUid } from '../../ids.ts';
import { type InvitationCardData, readInvitationCardData } from '../../invitations/invitations.ts';
import { createPersonalWindows, personalWindowShape } from '../core/personal-records.ts';
import type { ActionCall } from '../core/routes.ts';

/** Key: [user, id]. */
const InvitationWindow = z.object({ ...personalWindowShape, uid: InvitationUid });
export type InvitationWindow = z.infer<typeof InvitationWindow>;

export const invitationWindows = createPersonalWindows('invitation-windows', InvitationWindow);

export interface PressedInvitation {
  readonly data: InvitationCardData;
  /** Missing: its card was pressed, not a window. */
  readonly window?: InvitationWindow;
}

/** The window and its invitation, for a press in it. undefined: it is too old, or the invitation is gone. */
export async function findPressedInvitationWindow(call: ActionCall): Promise<PressedInvitation | undefined> {
  const { services, person, view } = call;
  const { store } = services;
  const window = view && (await invitationWindows.find({ services, user: person.user, view }));
  if (!window) return undefined;
  const data = await store.read((tx) => readInvitationCardData(tx, window.channel, window.uid));
  return data && { data, window };
}
