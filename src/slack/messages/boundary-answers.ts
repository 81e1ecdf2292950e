/** What the boundary itself answers, before or instead of a handler. Pure. */
import type { Role } from '../../access/roles.ts';
import { nearest } from '../../query/near.ts';
import { COMMAND } from '../blocks/ids.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';

export function unknownCommandMessage(word: string, known: readonly string[]): Message {
  const meant = nearest(word, known);
  const guess = meant ? ` Did you mean \`${COMMAND} ${meant}\`?` : '';
  return {
    text: `I know no command “${safeLine(word, 40)}”.${guess} \`${COMMAND} help\` lists what I can do.`,
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

const ROLE_NAMES: Readonly<Record<Role, string>> = { viewer: 'viewer', bidder: 'bidder', admin: 'admin' };

/** Someone may not do what they asked for. */
export function notAllowedMessage(has: Role, needs: Role): Message {
  return {
    text: `:lock: This needs the role *${ROLE_NAMES[needs]}*; you are a ${ROLE_NAMES[has]}. Gigdesk's admins, and the admins of this workspace, can give it to you. Nothing was changed.`,
  };
}

export function restartingMessage(): Message {
  return { text: 'Gigdesk is just restarting. Try again in a minute; nothing was changed.' };
}
