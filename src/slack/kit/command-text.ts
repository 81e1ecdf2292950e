/** What a person typed after a command: its words and numbers, and answers where they are invalid. Pure. */
import type { QueryError } from '../../query/query.ts';
import type { Message } from '../core/routes.ts';
import { joinLines } from './block-builders.ts';
import { SLASH_COMMAND } from './ids.ts';
import { cleanLine, clipText, codeText, escapeMrkdwn, safeLine } from './mrkdwn.ts';
import { formatNumber } from './numbers.ts';

const QUOTED = /^["“”„«]([^"“”„»]*)["“”»]\s*(.*)$/su;
const BARE = /^(\S+)\s*(.*)$/su;

/**
 * The first word, or quoted text (straight or curly quotes) at the start; and the rest, trimmed. Empty at the
 * end of the text.
 */
export function splitFirstWord(text: string): { readonly word: string; readonly rest: string } {
  const trimmed = text.trim();
  const found = QUOTED.exec(trimmed) ?? BARE.exec(trimmed);
  return { word: (found?.[1] ?? '').trim(), rest: (found?.[2] ?? '').trim() };
}

/** `30`, `30d`, `30 days`: from 1 to `most`. */
export function parseDays(text: string, most: number): number | undefined {
  return parseWholeNumberInRange(text.replace(/\s*d(?:ays?)?$/iu, ''), 1, most);
}

/** A whole number within bounds; accepts `1,000` and `1'000`. */
export function parseWholeNumberInRange(text: string, from: number, to: number): number | undefined {
  const digits = text.replace(/(?<=\d)[,'’_](?=\d{3})/gu, '');
  if (!/^\d{1,10}$/u.test(digits)) return undefined;
  const value = Number(digits);
  return value >= from && value <= to ? value : undefined;
}

/** @param what a sentence, safe mrkdwn. @param example without `/gig`. */
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

/** The most characters a phone shows in a code line without wrapping, which would misplace the caret. */
const WINDOW = 44;
const BEFORE = 20;

/** The text around the mistake, with a line of carets below. */
export function underlineWithCarets(text: string, at: number, length: number): string {
  const place = Math.min(Math.max(at, 0), text.length);
  const from = text.length <= WINDOW ? 0 : Math.max(0, place - BEFORE);
  // Replaces each invisible character with `·`, so that the caret stays aligned.
  const part = text.slice(from, from + WINDOW);
  const shown = part.replace(/[^\P{C}]|[\n\t`]/gu, (sign) => '·'.repeat(sign.length));
  const start = from > 0 ? '…' : '';
  const end = from + WINDOW < text.length ? '…' : '';
  const carets = Math.max(1, Math.min(length, shown.length - (place - from)));
  return `${start}${shown}${end}\n${' '.repeat(start.length + place - from)}${'^'.repeat(carets)}`;
}

/** For a form's field, with the place, as plain text: `The problem is at “lots” (character 9).` */
export function ruleMistakeText(written: string, { at, length, message, example }: QueryError): string {
  const there = clipText(cleanLine(written.slice(at, at + length)), 60);
  const place = there ? ` The problem is at “${there}” (character ${formatNumber(at + 1)}).` : '';
  return `${clipText(message, 400)}${place} For example: ${clipText(example, 200)}`;
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
