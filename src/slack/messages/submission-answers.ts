/** What is said about a modal that was submitted. Slack shows an input's error as plain text. Pure. */
import { COMMAND } from '../blocks/ids.ts';
import type { Message } from '../routes.ts';

/** It stays open with all that was typed. @param ref stands in the log beside the error. */
export function submissionFailedText(ref: string): string {
  return `This could not be taken in, and nothing was sent. What you typed is still here: try again. (ref ${ref})`;
}

export function submissionUnreadableText(ref: string): string {
  return `This did not arrive in a shape that I can read, so nothing was sent. Try again. (ref ${ref})`;
}

export function submissionRestartingText(): string {
  return 'Gigdesk is just restarting. What you typed is still here: try again in a minute.';
}

export function submissionForeignText(): string {
  return 'Gigdesk serves another workspace and can do nothing here. Nothing was changed.';
}

export function unknownViewMessage(): Message {
  return {
    text: `This window is of an older version of Gigdesk, so nothing was changed. Open it anew; \`${COMMAND} help\` shows how.`,
  };
}
