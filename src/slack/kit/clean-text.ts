/** Removes characters from strangers' text that could hide, reorder or break the text around it. Pure. */

const LINE_BREAKS = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu;
/**
 * Control characters (including null bytes), format characters (direction marks, zero-width characters, tags)
 * and lone surrogates. Line feed and tab stay.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** Invisible letters, which can make a label look empty. */
const BLANKS = /[\u115F\u1160\u2800\u3164\uFFA0]/gu;
/** No script stacks more than four marks on a letter. Stacked marks cover the lines above and below. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Multi-line text without invisible characters: single spaces, at most one empty line in a row, trimmed. */
export function cleanText(text: string): string {
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(UNSEEN, '')
    .replace(BLANKS, ' ')
    .replace(PILED_MARKS, '$1')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}

/** Like `cleanText`, on one line: line breaks become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\n+/gu, ' ');
}
