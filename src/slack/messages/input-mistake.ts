/** A command that was not understood: what is wrong, and how it would be right. */
import { COMMAND } from '../blocks/ids.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { lines } from './parts.ts';

/**
 * @param what a sentence, harmless mrkdwn.
 * @param example without `/gig`.
 */
export function inputMistake(what: string, example: string): Message {
  return { text: lines(what, `For example: ${codeText(`${COMMAND} ${example}`)}`) };
}

/** A number of days that was none. @param written what was written instead */
export function daysMistake(
  written: string,
  { usual, most }: { readonly usual: number; readonly most: number },
  example: string,
): Message {
  const what = `${codeText(written, 60)} isn't a valid number of days. Enter 1 to ${most}, or leave it blank for ${usual}.`;
  return inputMistake(what, example);
}
