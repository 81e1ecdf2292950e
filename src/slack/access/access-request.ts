/** A role request, for the channel and its admins; shows the decision once there is one. Pure. */
import type { AccessRequest, GrantedRole } from '../../access/access.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, contextBlock, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { formatDate, formatDateCapitalized, formatMention } from '../kit/mrkdwn.ts';
import { ROLE_WITH_ARTICLE, roleScopeText } from '../kit/words/access-text.ts';

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
  const what = `${ROLE_WITH_ARTICLE[role]} ${roleScopeText(channel)}`;
  if (isOwn)
    return granted
      ? `✅ ${by} made you ${what}. You can try again now.`
      : `${by} declined your request to become ${what}.`;
  return granted
    ? `✅ ${by} made ${formatMention(user)} ${what}.`
    : `${by} declined ${formatMention(user)}'s request to become ${what}.`;
}

/** @param reader the conversation that shows it; the requester's own one says “you” */
export function accessRequestMessage(request: AccessRequest, reader?: ChannelId | UserId): Message {
  const { id, user, role, channel, at, decided } = request;
  if (decided) {
    const isOwn = reader === user;
    const text = decidedText(request, formatMention(decided.by), decided.granted, isOwn);
    return {
      text,
      blocks: [
        isOwn ? sectionBlock(text) : sectionBlock(`${text.slice(0, -1)}, ${formatDate(decided.at)}.`),
        ...(isOwn ? [contextBlock(formatDateCapitalized(decided.at))] : []),
      ],
    };
  }
  const text = `${formatMention(user)} wants to be ${ROLE_WITH_ARTICLE[role]} ${roleScopeText(channel)}.`;
  return {
    text,
    blocks: [
      sectionBlock(text),
      contextBlock(
        `Requested ${formatDate(at)}. ${MEANING[role]} Any admin there can grant or decline this.`,
      ),
      actionsBlock([
        { ...buttonElement({ id: actionIds.accessGrant, label: 'Grant', value: id }), style: 'primary' },
        buttonElement({ id: actionIds.accessDecline, label: 'Decline', value: id }),
      ]),
    ],
  };
}
