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
      text: `I know no admin whom I could ask to make you ${what}. Tell an admin of this workspace yourself: they do it with \`/gig access\`.`,
    };
  if (!isInChannel)
    return {
      text: `Asked to make you ${what}. I am not in this channel, so nobody reads it here: tell an admin yourself, too; they do it with \`/gig access\`.`,
    };
  if (!isNew)
    return {
      text: `You asked to be ${what} ${ago(request.at)}, and nobody has answered yet. An admin can grant it with one button.`,
    };
  return { text: `Asked to make you ${what}; an admin can grant it with one button.` };
}

/** Nothing has to be asked for. */
export function accessAlreadyMessage(role: GrantedRole): Message {
  return { text: `You may do what ${MANY[role]} may here by now. Try again what you wanted to do.` };
}

export const REQUEST_GONE: Message = {
  text: "I don't find this request in my records: it may be too old. Whoever asked can ask again.",
};

/** Somebody else was faster. */
export function requestTakenMessage({ decided }: AccessRequest): Message {
  if (!decided) return REQUEST_GONE;
  const did = decided.granted ? 'granted' : 'declined';
  return { text: `${mention(decided.by)} ${did} this ${ago(decided.at)}, so nothing was changed.` };
}

function scopeText(scope: Scope): string {
  return scope === 'everywhere' ? 'everywhere' : `in ${channelLink(scope)}`;
}

function changeText({ role, added, removed }: GranteesChange, scope: Scope, names: GroupNames): string {
  const gained = granteesText(added, names);
  const lost = granteesText(removed, names);
  return lines(
    gained && `• ${MANY[role]} ${scopeText(scope)} now: ${gained}`,
    lost && `• no longer ${MANY[role]} ${scopeText(scope)}: ${lost}`,
  );
}

export function accessChangedMessage(
  scope: Scope,
  changes: readonly GranteesChange[],
  names: GroupNames,
): Message {
  return {
    text: lines(
      'Saved. It counts from the next press on.',
      ...changes.map((it) => changeText(it, scope, names)),
    ),
  };
}

export function accessSameMessage(): Message {
  return { text: 'Who may do what is as it was: nothing was changed.' };
}

/** `@Ben changed this list 3 minutes ago`. mrkdwn. */
export function changedMeanwhileText({ by, at }: AccessList): string {
  const who = by ? mention(by) : 'Somebody';
  return `${who} changed this list${at === undefined ? '' : ` ${ago(at)}`}`;
}

export function accessStaleMessage(list: AccessList): Message {
  return {
    text: `${changedMeanwhileText(list)}, so nothing of yours was saved. \`/gig access\` shows the newest.`,
  };
}

/** A window that can't be understood any more. */
export const ACCESS_OUT_OF_DATE =
  'This window is out of date, so nothing was changed. `/gig access` opens a new one.';
