/** A command that could not be parsed: what is wrong, and a correct example. Pure. */

import type { Message } from '../core/routes.ts';
import { joinLines } from './block-builders.ts';
import { SLASH_COMMAND } from './ids.ts';
import { codeText } from './query-error.ts';

/**
 * @param what a sentence, safe mrkdwn.
 * @param example without `/gig`.
 */
export function inputErrorMessage(what: string, example: string): Message {
  return { text: joinLines(what, `For example: ${codeText(`${SLASH_COMMAND} ${example}`)}`) };
}

/** An invalid number of days. @param written what the user typed */
export function invalidDaysMessage(
  written: string,
  { usual, most }: { readonly usual: number; readonly most: number },
  example: string,
): Message {
  const what =
    `${codeText(written, 60)} isn't a valid number of days. ` +
    `Enter 1 to ${most}, or leave it blank for ${usual}.`;
  return inputErrorMessage(what, example);
}
