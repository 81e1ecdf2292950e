/** Counts characters and finds blank texts. Pure. */

/**
 * Characters as people and the marketplace's limits count them: code points, so that 😀 is one. Assumed: the
 * API doesn't say how it counts.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Whether a text is empty or has only blanks and invisible characters. Characters that only some screens can
 * show (private use, a new emoji) count as visible.
 */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text);
}
