/** Text made comparable: case, accents, dashes, kinds of space and of quotes do not count. Pure. */

/**
 * @returns lower case without accents and unseen characters, straight quotes, dashes as spaces, one space between words, none
 * at the ends. Halves of pairs are no characters.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .toLowerCase()
    .replace(/[\s\p{Pd}\p{Cs}]+/gu, ' ')
    .trim();
}
