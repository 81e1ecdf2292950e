/** Where the parts of an invitation's letter are shown. Pure. */

/** In characters; the card's thread has the whole letter. */
export const LETTER_EXCERPT_LENGTH = 300;

/**
 * In characters: what one message fits with a line above and below. Source: slack/kit/limits.ts,
 * `allTextOfMessage`.
 */
export const MAX_LETTER_LENGTH = 11_500;

/** Whether the card shows only the beginning. Whitespace counts as one character, as it is shown. */
export function isLetterTruncated(letter: string): boolean {
  return letter.trim().replaceAll(/\s+/gu, ' ').length > LETTER_EXCERPT_LENGTH;
}
