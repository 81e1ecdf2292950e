/** Messages about a submitted modal. Slack shows an input's error as plain text. Pure. */
import { SLASH_COMMAND } from '../kit/ids.ts';
import { escapeMrkdwn } from '../kit/mrkdwn.ts';
import type { Message } from './routes.ts';

/** The modal stays open with the user's input. @param ref appears in the log next to the error. */
export function submissionFailedText(ref: string): string {
  return `Something went wrong, and nothing was sent. What you typed is still here. Try again. (ref ${ref})`;
}

export function submissionUnreadableText(ref: string): string {
  return `Gigdesk couldn't read this, so nothing was sent. Try again. (ref ${ref})`;
}

export function submissionRestartingText(): string {
  return 'Gigdesk is restarting. What you typed is still here. Try again in a minute.';
}

export function submissionOtherWorkspaceText(): string {
  return "Gigdesk isn't set up for this workspace. Nothing was changed.";
}

/** Errors of a modal without inputs: Slack shows errors only at inputs. */
export function submissionErrorsMessage(errors: readonly string[]): Message {
  return { text: `:warning: Nothing was sent. ${errors.map(escapeMrkdwn).join(' ')}` };
}

export function unknownViewMessage(): Message {
  return {
    text:
      'This window is from an older version of Gigdesk, so nothing was changed. Open it again. ' +
      `See \`${SLASH_COMMAND} help\` for the commands.`,
  };
}
