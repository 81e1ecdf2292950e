/** The part of a letter around the words of a search. Pure. */

import type { Query } from '../../query/query.ts';
import { foldText } from '../../query/words.ts';
import { cleanLine } from '../kit/clean-text.ts';
import { excerptText } from '../kit/excerpt.ts';
import { clipText } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';

/** The most letter text before the found word. */
const BEFORE = 80;
/** `kotlin or kotlik, react` */
const BETWEEN_MEANT = / or |, /u;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * The searched words that a found proposal contains, folded.
 * @param meant the search's replacements for misspelled words
 */
export function listSearchWords({ terms }: Query, meant: string | undefined): readonly string[] {
  const written = terms.flatMap((term) => (term.kind === 'qualifier' || term.negated ? [] : [term.text]));
  const found = meant?.split(BETWEEN_MEANT) ?? [];
  const words = [...written, ...found].flatMap((text) => foldText(text).match(WORD) ?? []);
  return [...new Set(words)].filter((word) => word.length > 1);
}

/** The position of the first word that starts with one of those; undefined if none does. */
function placeOfFirst(text: string, sought: readonly string[]): number | undefined {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = foldText(word);
    if (sought.some((each) => folded.startsWith(each))) return index;
  }
  return undefined;
}

/** The start of the word `BEFORE` characters earlier, or slightly later. */
function beginBefore(text: string, place: number): number {
  const from = Math.max(0, place - BEFORE);
  if (from === 0) return 0;
  const space = text.indexOf(' ', from);
  return space === -1 || space >= place ? place : space + 1;
}

/**
 * One line of plain text that says how much it leaves out:
 * `…the checkout in React and… [300 of 1,240 characters]`. The start of the letter if it contains none of the
 * words.
 */
export function excerptAroundSearchWords(letter: string, sought: readonly string[], max: number): string {
  const whole = cleanLine(letter);
  const place = whole.length <= max || sought.length === 0 ? undefined : placeOfFirst(whole, sought);
  const from = place === undefined ? 0 : Math.min(beginBefore(whole, place), place);
  if (from === 0) return excerptText(whole, max);
  const piece = `…${clipText(whole.slice(from), max)}`;
  return (
    `${piece} [${formatNumber(Math.min(max, whole.length - from))} of ${formatNumber(whole.length)} ` +
    'characters]'
  );
}
