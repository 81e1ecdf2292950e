/** A wrong query: the place of the mistake under the text, and how it would be right. */
import type { QueryError } from '../../query/query.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { clipText, escapeMrkdwn, safeLine } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { joinLines } from './block-builders.ts';

/** What a line of code shows on a phone without wrapping, which would tear the caret from its place. */
const WINDOW = 44;
const BEFORE = 20;

/** As wide as the original, so that the caret stays true: everything that is not plain to see becomes `·`. */
function sameWidth(text: string): string {
  return text.replace(/[^\P{C}]|[\n\t`]/gu, (sign) => '·'.repeat(sign.length));
}

/** The text around the mistake, and a line of carets below it. */
export function underlineWithCarets(text: string, at: number, length: number): string {
  const place = Math.min(Math.max(at, 0), text.length);
  const from = text.length <= WINDOW ? 0 : Math.max(0, place - BEFORE);
  const shown = sameWidth(text.slice(from, from + WINDOW));
  const start = from > 0 ? '…' : '';
  const end = from + WINDOW < text.length ? '…' : '';
  const carets = Math.max(1, Math.min(length, shown.length - (place - from)));
  return `${start}${shown}${end}\n${' '.repeat(start.length + place - from)}${'^'.repeat(carets)}`;
}

/** Words as they were or would be typed, in code; at most `max` characters of them. */
export function codeText(words: string, max = 400): string {
  return `\`${escapeMrkdwn(clipText(cleanLine(words), max)).replace(/`/gu, "'") || ' '}\``;
}

/** @param before what stands before the query in the command, for the corrected example. */
export function queryErrorMessage(query: string, mistake: QueryError, before: string): Message {
  const words = safeLine(mistake.message, 600);
  return {
    text: joinLines(
      words,
      `\`\`\`${escapeMrkdwn(underlineWithCarets(query, mistake.at, mistake.length))}\`\`\``,
      `For example: ${codeText(`${before}${mistake.example}`)}`,
    ),
  };
}
