/** How much of an invitation's letter stands where. Pure. */

/** So many characters stand on the card; the rest is in its thread. */
export const LETTER_EXCERPT_LENGTH = 300;

/** So many are kept: what one message holds beside a line above and one below. Source: slack/blocks/limits.ts, `allTextOfMessage`. */
export const MAX_LETTER_LENGTH = 11_500;

/** Whether the card shows the beginning only. Gaps count as one character, as they are shown. */
export function isLetterTruncated(letter: string): boolean {
  return letter.trim().replaceAll(/\s+/gu, ' ').length > LETTER_EXCERPT_LENGTH;
}
