/** Answers from the request boundary, before or instead of a handler, and about submitted modals. Pure. */
import { GrantedRole, type Role } from '../../access/access.ts';
import { findNearestNames } from '../../query/words.ts';
import { actionsBlock, buttonElement, joinWithOr, sectionBlock } from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import type { Message, Person } from './routes.ts';

/** Words for a command's subject that people try as the command. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  approve: ['job'],
  connects: ['stats'],
  credits: ['budget'],
  find: ['lookup', 'proposals'],
  follow: ['subscribe'],
  invitations: ['subscribe'],
  log: ['audit'],
  mute: ['list'],
  outcomes: ['subscribe'],
  query: ['proposals'],
  search: ['proposals'],
  menu: ['help'],
  resume: ['pause'],
  stop: ['pause', 'list'],
  unfollow: ['follow', 'list'],
  unsubscribe: ['list'],
};

function meantWords(word: string, known: readonly string[]): readonly string[] {
  const name = word.toLowerCase();
  const synonyms = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : [];
  const meant = (synonyms ?? []).filter((each) => known.includes(each));
  return meant.length > 0 ? meant : findNearestNames(word, known);
}

/** ` Did you mean …?`, with all equally close matches. @param prefix goes before each of the words */
export function didYouMeanText(word: string, known: readonly string[], prefix = `${SLASH_COMMAND} `): string {
  const meant = meantWords(word, known).map((each) => `\`${prefix}${each}\``);
  return meant.length === 0 ? '' : ` Did you mean ${joinWithOr(meant)}?`;
}

export function unknownCommandMessage(word: string, known: readonly string[]): Message {
  return {
    text:
      `Unknown command ${codeText(word, 40)}.${didYouMeanText(word, known)} See \`${SLASH_COMMAND} ` +
      'help` for all commands.',
  };
}

export function commandTooLongMessage(length: number, most: number): Message {
  return {
    text:
      `This command is too long: ${formatCount(length, 'character')}. ` +
      `The limit is ${formatNumber(most)}. See \`${SLASH_COMMAND} help\` for all commands.`,
  };
}

export function unknownButtonMessage(): Message {
  return { text: `This button no longer works. Use the newest message, or see \`${SLASH_COMMAND} help\`.` };
}

export function otherWorkspaceMessage(): Message {
  return { text: "Gigdesk is set up for another workspace and doesn't work in this one. Nothing changed." };
}

export function unreadableRequestMessage(ref: string): Message {
  return { text: `Couldn't read this request, so nothing changed. Try again.\n_ref ${ref}_` };
}

const WHO: Readonly<Record<Role, string>> = {
  outsider: 'Everyone',
  viewer: 'Only full members of this workspace',
  bidder: 'Only bidders and admins',
  admin: 'Only admins',
};

function refusalText({ role, unsure }: Person, needs: Role): string {
  if (unsure) return "Couldn't check your permissions with Slack, so nothing changed. Try again in a minute.";
  if (role === 'outsider')
    return (
      'Guests and external members can only read. ' +
      `You can read the cards here, \`${SLASH_COMMAND} list\`, and \`${SLASH_COMMAND} help\`. ` +
      'For anything else, ask a team member.'
    );
  const who = `${WHO[needs]} can do this.`;
  return needs === 'bidder' ? `${who} Admins manage access with \`${SLASH_COMMAND} access\`.` : who;
}

/**
 * The user's role is too low. A full member can request the role with a button.
 * @param more `mayAsk` false: no button, if the role is not what was refused. `hint`: a sentence about what
 * they may do instead; safe mrkdwn.
 */
export function notAllowedMessage(
  person: Person,
  needs: Role,
  { mayAsk = true, hint }: { readonly mayAsk?: boolean; readonly hint?: string } = {},
): Message {
  const text = `:lock: ${refusalText(person, needs)}${hint ? ` ${hint}` : ''}`;
  const wanted = GrantedRole.safeParse(needs);
  if (!mayAsk || person.unsure || person.role === 'outsider' || !wanted.success) return { text };
  const ask = { id: actionIds.accessAsk, label: 'Request Access', value: wanted.data };
  return { text, blocks: [sectionBlock(text), actionsBlock([buttonElement(ask)])] };
}

export function restartingMessage(): Message {
  return { text: 'Gigdesk is restarting, so nothing changed. Try again in a minute.' };
}

/** No replica serves the workspace at this moment; nothing was done. */
export function movingText(): string {
  return 'Gigdesk is moving to another server. Try again in a few seconds.';
}

/** Another replica got the request, and may have acted on it. */
export function unansweredText(): string {
  return "Gigdesk didn't answer in time. Check before you try again.";
}

/** Why a press is refused whose person may have left the channel; undefined: they are in it. */
export function membershipRefusal(place: 'in' | 'out' | 'unsure'): string | undefined {
  if (place === 'in') return undefined;
  return place === 'out'
    ? ":lock: You're no longer in that channel, so nothing changed."
    : ":warning: Couldn't check with Slack if you're in that channel, so nothing changed. " +
        'Try again in a minute.';
}

export function unknownViewMessage(): Message {
  return {
    text:
      'This window is from an older version of Gigdesk, so nothing was changed. Open it again. ' +
      `See \`${SLASH_COMMAND} help\` for the commands.`,
  };
}
