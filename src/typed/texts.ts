/** How long a text is, and whether there is anything in it. Pure. */

/**
 * Characters as people and the marketplace's limits count them: code points, so that 😀 is one. Assumed, since the API does not
 * say how it counts.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Whether nothing can be seen of a text: it is empty, or all blanks and unseen characters. What some screens have a sign for and
 * others not (private use, a new emoji) is something.
 */
export function isBlank(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text);
}
