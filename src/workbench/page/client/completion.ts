/** Completion of slash commands while a person types. Pure. */
import type { PageCommand } from '../protocol.ts';

/** Slack's own command, to add the app to a channel. */
const INVITE_COMMAND = '/invite';
/** The app's only command. */
export const APP_COMMAND = '/gig';

export interface CommandCompletion {
  readonly matches: readonly PageCommand[];
  /** The command whose arguments are being typed: the list shows its usage, without options. */
  readonly typing?: PageCommand;
}

const NOTHING: CommandCompletion = { matches: [] };

function begins(word: string, typed: string): boolean {
  return word.toLowerCase().startsWith(typed.toLowerCase());
}

/** Commands whose name begins with the typed text, then those whose summary contains it. */
function rank(commands: readonly PageCommand[], typed: string): readonly PageCommand[] {
  const leading = commands.filter(({ word }) => begins(word, typed));
  const wanted = typed.toLowerCase();
  const others = commands.filter(
    (each) => !leading.includes(each) && wanted.length > 2 && each.summary.toLowerCase().includes(wanted),
  );
  return [...leading, ...others];
}

/** The options for `text`, wherever the caret is in the first two words. */
export function completeCommand(text: string, commands: readonly PageCommand[]): CommandCompletion {
  if (!text.startsWith('/') || text.includes('\n')) return NOTHING;
  const [, command = '', gap = '', rest = ''] = /^(\S*)(\s*)(.*)$/u.exec(text) ?? [];
  if (gap === '') return begins(APP_COMMAND, command) ? { matches: commands } : NOTHING;
  if (command.toLowerCase() !== APP_COMMAND) return NOTHING;
  const [word = ''] = rest.split(/\s/u);
  if (word === rest) return { matches: rank(commands, word) };
  const typing = commands.find((each) => each.word === word.toLowerCase());
  return typing ? { matches: [], typing } : NOTHING;
}

/** The text after choosing a command from the list, ready for its arguments. */
export function completedCommandText(command: PageCommand): string {
  return `${APP_COMMAND} ${command.word} `;
}

export type SendDecision =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly why: string };

/** What Enter does with a text. Slack treats commands in threads as plain text and refuses them. */
export function decideHowToSendText(text: string, isThread: boolean): SendDecision {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'nothing' };
  if (!/^\/\w/u.test(trimmed)) return { kind: 'say', text: trimmed };
  const [word = ''] = trimmed.split(/\s/u);
  if (word.toLowerCase() !== APP_COMMAND && word !== INVITE_COMMAND)
    return { kind: 'refused', why: `${word} isn't a command here. Use ${APP_COMMAND}.` };
  if (isThread)
    return { kind: 'refused', why: "Slash commands don't work in threads. Type it in the channel." };
  return { kind: 'command', text: trimmed };
}
