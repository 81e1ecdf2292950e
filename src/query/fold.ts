/** Text made comparable: case, accents, dashes and kinds of space do not count. Pure. */

/** @returns lower case without accents, dashes as spaces, one space between words, none at the ends. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\p{Pd}]+/gu, ' ')
    .trim();
}
