/** Makes text comparable: ignores case, accents, dashes, and kinds of spaces and quotes. Pure. */

/**
 * @returns lowercase text without accents and invisible characters. Quotes are straight, dashes are spaces,
 * and single spaces separate words, with none at the ends. Lone surrogates are dropped.
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
