/** What the boundary itself answers, before or instead of a handler. Pure. */
import { GrantedRole } from '../../access/access.ts';
import type { Role } from '../../access/roles.ts';
import { nearestOnes } from '../../query/near.ts';
import { actionIds, COMMAND } from '../blocks/ids.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import type { Message, Person } from '../routes.ts';
import { actions, button, either, section } from './parts.ts';

/** ` Did you mean …?`, with as many as are equally near. @param prefix what stands before each of the words */
export function guessText(word: string, known: readonly string[], prefix = `${COMMAND} `): string {
  const meant = nearestOnes(word, known).map((each) => `\`${prefix}${each}\``);
  return meant.length === 0 ? '' : ` Did you mean ${either(meant)}?`;
}

export function unknownCommandMessage(word: string, known: readonly string[]): Message {
  return {
    text: `I know no command “${safeLine(word, 40)}”.${guessText(word, known)} \`${COMMAND} help\` lists what I can do.`,
  };
}

export function tooLongMessage(length: number, most: number): Message {
  return {
    text: `This command has ${count(length, 'character')}, and I read at most ${number(most)}. \`${COMMAND} help\` shows how each begins.`,
  };
}

export function unknownPressMessage(): Message {
  return {
    text: `This button is not known any more. The newest message, or \`${COMMAND} help\`, shows what works now.`,
  };
}

export function unknownShortcutMessage(): Message {
  return { text: `This shortcut is not known any more. \`${COMMAND} help\` shows what works now.` };
}

export function otherWorkspaceMessage(): Message {
  return { text: 'Gigdesk serves another workspace and can do nothing here. Nothing was changed.' };
}

export function unreadableMessage(ref: string): Message {
  return {
    text: `This did not arrive in a shape that I can read, so nothing was changed. Try again.\n_ref ${ref}_`,
  };
}

const WHO: Readonly<Record<Role, string>> = {
  outsider: 'everyone',
  viewer: 'full members of this workspace',
  bidder: `bidders and admins. An admin says who that is with \`${COMMAND} access\``,
  admin: `admins: those of this workspace, and whoever was made one by them or by whoever runs Gigdesk`,
};

function refusalText({ role, unsure }: Person, needs: Role): string {
  if (unsure)
    return "Slack can't tell me just now what you may do here, so nothing was changed. Try again in a minute.";
  if (role === 'outsider')
    return `Guests and people of other workspaces can read the cards here, \`${COMMAND} list\` and \`${COMMAND} help\`. For anything else, ask a member of the team. Nothing was done.`;
  return `This is for ${WHO[needs]}. Nothing was done.`;
}

/**
 * Someone may not do what they asked for. A full member can ask for the role with a button.
 * @param more `mayAsk` false: without the button, where what it would ask for is not what was refused. `hint`: a sentence
 * about what they may do instead; harmless mrkdwn.
 */
export function notAllowedMessage(
  person: Person,
  needs: Role,
  { mayAsk = true, hint }: { readonly mayAsk?: boolean; readonly hint?: string } = {},
): Message {
  const text = `:lock: ${refusalText(person, needs)}${hint ? ` ${hint}` : ''}`;
  const wanted = GrantedRole.safeParse(needs);
  if (!mayAsk || person.unsure || person.role === 'outsider' || !wanted.success) return { text };
  const ask = { id: actionIds.accessAsk, label: 'Request access', value: wanted.data };
  return { text, blocks: [section(text), actions([button(ask)])] };
}

export function restartingMessage(): Message {
  return { text: 'Gigdesk is just restarting. Try again in a minute; nothing was changed.' };
}
