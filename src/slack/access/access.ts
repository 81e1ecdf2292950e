/**
 * A role request as a message, and replies to users who request a role, decide, or change the access lists.
 * Pure.
 */
import type { AccessList, AccessRequest, AccessScope, GrantedRole } from '../../access/access.ts';
import type { AccessService, GranteesChange } from '../../access/create-access.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import {
  channelLink,
  formatDate,
  formatDateCapitalized,
  formatMention,
  formatTimeAgo,
} from '../kit/mrkdwn.ts';
import {
  granteesText,
  ROLE_PLURAL,
  ROLE_WITH_ARTICLE,
  roleScopeText,
  type UserGroupNames,
} from '../kit/words/labels.ts';

const MEANING: Readonly<Record<GrantedRole, string>> = {
  bidder: 'Bidders can send and approve bids, which spends connects.',
  admin: 'Admins can also set budgets, pause the feed, and manage access.',
};

function decidedText({ user, role, channel }: AccessRequest, by: string, granted: boolean, isOwn: boolean) {
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
    const blocks = isOwn
      ? [sectionBlock(text), contextBlock(formatDateCapitalized(decided.at))]
      : [sectionBlock(`${text.slice(0, -1)}, ${formatDate(decided.at)}.`)];
    return { text, blocks };
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

/** @param isInChannel whether Gigdesk is in the request's channel, so that the request shows there */
export function accessRequestedMessage(
  { request, isNew, notifiedCount }: Awaited<ReturnType<AccessService['requestRole']>>,
  isInChannel = true,
): Message {
  const what = `${ROLE_WITH_ARTICLE[request.role]} ${roleScopeText(request.channel)}`;
  if (notifiedCount === 0)
    return {
      text:
        "There's no admin to send your request to. " +
        `Ask a workspace admin to make you ${what} with \`/gig access\`.`,
    };
  if (!isInChannel)
    return {
      text:
        `You requested to be ${what}. Gigdesk isn't in this channel, so your request doesn't show here. ` +
        `Ask an admin to make you ${ROLE_WITH_ARTICLE[request.role]} with \`/gig access\`.`,
    };
  if (!isNew)
    return {
      text:
        `You already requested to be ${what} ${formatTimeAgo(request.at)}. ` +
        "It's waiting for an admin to grant it.",
    };
  return { text: `You requested to be ${what}. An admin can grant it.` };
}

export const ACCESS_REQUEST_GONE: Message = {
  text: "Couldn't find this request. It may be too old. The person who sent it can request access again.",
};

export function accessRequestAlreadyDecidedMessage({ decided }: AccessRequest): Message {
  if (!decided) return ACCESS_REQUEST_GONE;
  const did = decided.granted ? 'granted' : 'declined';
  return {
    text: `${formatMention(decided.by)} ${did} this request ${formatTimeAgo(decided.at)}. Nothing changed.`,
  };
}

function changeText({ role, added, removed }: GranteesChange, scope: AccessScope, names: UserGroupNames) {
  const whose = `${ROLE_PLURAL[role]} ${scope === 'everywhere' ? 'everywhere' : `in ${channelLink(scope)}`}`;
  const gained = granteesText(added, names);
  const lost = granteesText(removed, names);
  return joinLines(gained && `• Now ${whose}: ${gained}`, lost && `• No longer ${whose}: ${lost}`);
}

export function accessChangedMessage(
  scope: AccessScope,
  changes: readonly GranteesChange[],
  names: UserGroupNames,
): Message {
  const lines = changes.map((it) => changeText(it, scope, names));
  return { text: joinLines('Access saved. It takes effect right away.', ...lines) };
}

/** `@Ben changed this list 3 minutes ago`. mrkdwn. */
export function accessListChangedText({ by, at }: AccessList): string {
  const who = by ? formatMention(by) : 'Someone else';
  return `${who} changed this list${at === undefined ? '' : ` ${formatTimeAgo(at)}`}`;
}

export function accessStaleMessage(list: AccessList): Message {
  return {
    text:
      `${accessListChangedText(list)}, so your changes weren't saved. ` +
      'Open `/gig access` to see the latest list.',
  };
}

export const ACCESS_OUT_OF_DATE = 'This window is out of date, so nothing changed. Open `/gig access` again.';
