/** What the boundary itself answers, before or instead of a handler. Pure. */
import type { Role } from '../../access/roles.ts';
import { nearest } from '../../query/near.ts';
import { COMMAND } from '../blocks/ids.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import type { Message, Person } from '../routes.ts';

export function unknownCommandMessage(word: string, known: readonly string[]): Message {
  const meant = nearest(word, known);
  const guess = meant ? ` Did you mean \`${COMMAND} ${meant}\`?` : '';
  return {
    text: `I know no command “${safeLine(word, 40)}”.${guess} \`${COMMAND} help\` lists what I can do.`,
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
  bidder: 'bidders',
  admin: 'admins: those of this workspace, and those named by whoever runs Gigdesk',
};

/** Someone may not do what they asked for. */
export function notAllowedMessage({ role, unsure }: Person, needs: Role): Message {
  if (unsure)
    return {
      text: ":lock: Slack can't tell me just now what you may do here, so nothing was changed. Try again in a minute.",
    };
  if (role === 'outsider')
    return {
      text: `:lock: Guests and people of other workspaces can read the cards here, \`${COMMAND} list\` and \`${COMMAND} help\`. For anything else, ask a member of the team. Nothing was changed.`,
    };
  return { text: `:lock: This is for ${WHO[needs]}. Nothing was changed.` };
}

export function restartingMessage(): Message {
  return { text: 'Gigdesk is just restarting. Try again in a minute; nothing was changed.' };
}
