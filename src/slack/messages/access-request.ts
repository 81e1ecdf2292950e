/** Somebody asks for a role: for the channel and its admins, with the answer once there is one. Pure. */
import type { AccessRequest, GrantedRole } from '../../access/access.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import { actionIds } from '../blocks/ids.ts';
import { date, dateFirst, mention } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { ONE, placeText } from './access-words.ts';
import { actions, button, context, section } from './parts.ts';

const MEANING: Readonly<Record<GrantedRole, string>> = {
  bidder: 'Bidders can bid and approve jobs, which spends connects.',
  admin: 'Admins can also set budgets, pause the feed, and manage access.',
};

function decidedText(
  { user, role, channel }: AccessRequest,
  by: string,
  granted: boolean,
  isOwn: boolean,
): string {
  const what = `${ONE[role]} ${placeText(channel)}`;
  if (isOwn)
    return granted
      ? `✅ ${by} made you ${what}. You can try again now.`
      : `${by} declined your request to become ${what}.`;
  return granted
    ? `✅ ${by} made ${mention(user)} ${what}.`
    : `${by} declined ${mention(user)}'s request to become ${what}.`;
}

/** @param reader the conversation that it stands in: who asked is spoken to in their own. */
export function accessRequestMessage(request: AccessRequest, reader?: ChannelId | UserId): Message {
  const { id, user, role, channel, at, decided } = request;
  if (decided) {
    const isOwn = reader === user;
    const text = decidedText(request, mention(decided.by), decided.granted, isOwn);
    return {
      text,
      blocks: [
        isOwn ? section(text) : section(`${text.slice(0, -1)}, ${date(decided.at)}.`),
        ...(isOwn ? [context(dateFirst(decided.at))] : []),
      ],
    };
  }
  const text = `${mention(user)} wants to be ${ONE[role]} ${placeText(channel)}.`;
  return {
    text,
    blocks: [
      section(text),
      context(`Requested ${date(at)}. ${MEANING[role]} Any admin there can grant or decline this.`),
      actions([
        { ...button({ id: actionIds.accessGrant, label: 'Grant', value: id }), style: 'primary' },
        button({ id: actionIds.accessDecline, label: 'Decline', value: id }),
      ]),
    ],
  };
}
