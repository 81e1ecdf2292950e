/** Takes out of strangers' text what could hide, reorder or break what stands around it. Pure. */

const LINE_BREAKS = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu;
/**
 * Control characters (null bytes too), format characters (marks and overrides of writing direction, characters without
 * width, tags) and lone surrogates; line feed and tab stay.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** Letters that show nothing, by which a label can look empty. */
const BLANKS = /[\u115F\u1160\u2800\u3164\uFFA0]/gu;
/** More marks than any script stacks on a letter; piled up they cover the lines above and below. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/**
 * Text of several lines, harmless: nothing unseen, single spaces, at most one empty line in a row, no empty ends.
 */
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

/** The same on one line: line breaks become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\n+/gu, ' ');
}
