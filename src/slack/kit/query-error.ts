/** An invalid query: marks the mistake below the text and shows a correct example. Pure. */
import type { QueryError } from '../../query/query.ts';
import type { Message } from '../core/routes.ts';
import { joinLines } from './block-builders.ts';
import { cleanLine } from './clean-text.ts';
import { clipText, escapeMrkdwn, safeLine } from './mrkdwn.ts';

/** The most characters a phone shows in a code line without wrapping, which would misplace the caret. */
const WINDOW = 44;
const BEFORE = 20;

/** Keeps the width, so that the caret stays aligned: replaces each invisible character with `·`. */
function sameWidth(text: string): string {
  return text.replace(/[^\P{C}]|[\n\t`]/gu, (sign) => '·'.repeat(sign.length));
}

/** The text around the mistake, with a line of carets below. */
export function underlineWithCarets(text: string, at: number, length: number): string {
  const place = Math.min(Math.max(at, 0), text.length);
  const from = text.length <= WINDOW ? 0 : Math.max(0, place - BEFORE);
  const shown = sameWidth(text.slice(from, from + WINDOW));
  const start = from > 0 ? '…' : '';
  const end = from + WINDOW < text.length ? '…' : '';
  const carets = Math.max(1, Math.min(length, shown.length - (place - from)));
  return `${start}${shown}${end}\n${' '.repeat(start.length + place - from)}${'^'.repeat(carets)}`;
}

/** User input as code, at most `max` characters of it. */
export function codeText(words: string, max = 400): string {
  return `\`${escapeMrkdwn(clipText(cleanLine(words), max)).replace(/`/gu, "'") || ' '}\``;
}

/** @param before the part of the command before the query, for the corrected example. */
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
