/** What a person is told who asks for a role, decides on one, or changes who may do what. Pure. */
import type { Access, AccessList, AccessRequest, GrantedRole, Scope } from '../../access/access.ts';
import type { GranteesChange } from '../../access/lists.ts';
import { channelLink, mention } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { type GroupNames, granteesText, MANY, ONE, placeText } from './access-words.ts';
import { lines } from './parts.ts';
import { ago } from './when.ts';

/** @param isInChannel it can be told in the channel that it was asked in */
export function accessAskedMessage(
  { request, isNew, told }: Awaited<ReturnType<Access['ask']>>,
  isInChannel = true,
): Message {
  const what = `${ONE[request.role]} ${placeText(request.channel)}`;
  if (told === 0)
    return {
      text: `There's no admin to send your request to. Ask a workspace admin to make you ${what} with \`/gig access\`.`,
    };
  if (!isInChannel)
    return {
      text: `You requested to be ${what}. Gigdesk isn't in this channel, so your request doesn't show here. Ask an admin to make you ${ONE[request.role]} with \`/gig access\`.`,
    };
  if (!isNew)
    return {
      text: `You already requested to be ${what} ${ago(request.at)}. It's waiting for an admin to grant it.`,
    };
  return { text: `You requested to be ${what}. An admin can grant it.` };
}

/** Nothing has to be asked for. */
export function accessAlreadyMessage(role: GrantedRole): Message {
  return { text: `You already have ${role} access here. Try again.` };
}

export const REQUEST_GONE: Message = {
  text: "Couldn't find this request. It may be too old. The person who sent it can request access again.",
};

/** Somebody else was faster. */
export function requestTakenMessage({ decided }: AccessRequest): Message {
  if (!decided) return REQUEST_GONE;
  const did = decided.granted ? 'granted' : 'declined';
  return { text: `${mention(decided.by)} ${did} this request ${ago(decided.at)}. Nothing changed.` };
}

function scopeText(scope: Scope): string {
  return scope === 'everywhere' ? 'everywhere' : `in ${channelLink(scope)}`;
}

function changeText({ role, added, removed }: GranteesChange, scope: Scope, names: GroupNames): string {
  const gained = granteesText(added, names);
  const lost = granteesText(removed, names);
  return lines(
    gained && `• Now ${MANY[role]} ${scopeText(scope)}: ${gained}`,
    lost && `• No longer ${MANY[role]} ${scopeText(scope)}: ${lost}`,
  );
}

export function accessChangedMessage(
  scope: Scope,
  changes: readonly GranteesChange[],
  names: GroupNames,
): Message {
  return {
    text: lines(
      'Access saved. It takes effect right away.',
      ...changes.map((it) => changeText(it, scope, names)),
    ),
  };
}

export function accessSameMessage(): Message {
  return { text: 'Nothing changed: access is the same as before.' };
}

/** `@Ben changed this list 3 minutes ago`. mrkdwn. */
export function changedMeanwhileText({ by, at }: AccessList): string {
  const who = by ? mention(by) : 'Someone else';
  return `${who} changed this list${at === undefined ? '' : ` ${ago(at)}`}`;
}

export function accessStaleMessage(list: AccessList): Message {
  return {
    text: `${changedMeanwhileText(list)}, so your changes weren't saved. Open \`/gig access\` to see the latest list.`,
  };
}

/** A window that can't be understood any more. */
export const ACCESS_OUT_OF_DATE = 'This window is out of date, so nothing changed. Open `/gig access` again.';
