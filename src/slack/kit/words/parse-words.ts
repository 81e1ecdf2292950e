/** Splits a command's text into words and numbers. Pure. */

export interface FirstWordSplit {
  readonly word: string;
  /** The text after the word, trimmed. */
  readonly rest: string;
}

const QUOTED = /^["“”„«]([^"“”„»]*)["“”»]\s*(.*)$/su;
const BARE = /^(\S+)\s*(.*)$/su;

/** The first word, or quoted text (straight or curly quotes) at the start. Empty at the end of the text. */
export function splitFirstWord(text: string): FirstWordSplit {
  const trimmed = text.trim();
  const found = QUOTED.exec(trimmed) ?? BARE.exec(trimmed);
  return { word: (found?.[1] ?? '').trim(), rest: (found?.[2] ?? '').trim() };
}

/** `30`, `30d`, `30 days`: from 1 to `most`. */
export function parseDays(text: string, most: number): number | undefined {
  return parseWholeNumberInRange(text.replace(/\s*d(?:ays?)?$/iu, ''), 1, most);
}

/** A whole number within bounds; accepts `1,000` and `1'000`. */
export function parseWholeNumberInRange(text: string, from: number, to: number): number | undefined {
  const digits = text.replace(/(?<=\d)[,'’_](?=\d{3})/gu, '');
  if (!/^\d{1,10}$/u.test(digits)) return undefined;
  const value = Number(digits);
  return value >= from && value <= to ? value : undefined;
}
