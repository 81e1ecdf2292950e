/** Finds words in folded text: whole, adjacent, or by prefix. Pure. */
import { foldText } from './fold.ts';

export interface TargetWords {
  /** Folded. */
  readonly words: string;
  /** Whether the last word is a prefix: `develop*`. */
  readonly open: boolean;
}

export function parseTargetWords(written: string): TargetWords {
  const open = /[^*]\*$/.test(written);
  return { words: foldText(open ? written.slice(0, -1) : written), open };
}

/** @param text folded. */
export function includesWords(text: string, { words, open }: TargetWords): boolean {
  const endsOpen = open || !/[\p{L}\p{N}]$/u.test(words);
  const startsOpen = !/^[\p{L}\p{N}]/u.test(words);
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if ((startsOpen || !endsInWord(text, at)) && (endsOpen || !startsWord(text, at + words.length)))
      return true;
  }
  return false;
}

/** The words of a folded text, with the same boundaries as in `includesWords`. */
export function splitWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function endsInWord(text: string, end: number): boolean {
  const unit = text.charCodeAt(end - 1);
  return isWordPart(isLowHalf(unit) ? text.codePointAt(end - 2) : unit);
}

function startsWord(text: string, at: number): boolean {
  return isWordPart(text.codePointAt(at));
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function isWordPart(code: number | undefined): boolean {
  if (code === undefined || Number.isNaN(code)) return false;
  if (code < 128) return (code > 47 && code < 58) || (code > 96 && code < 123);
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(code));
}
