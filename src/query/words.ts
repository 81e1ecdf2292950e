/**
 * Compares words: makes texts comparable, finds words in them, and finds the nearest names for "Did you
 * mean". Pure.
 */

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

const MOST_NAMES = 3;

/**
 * At most three nearest names; ties keep the given order. They are within a third of their length in edits
 * (at least 1). If there are none, the names that start with the written text.
 */
export function findNearestNames(written: string, names: readonly string[]): readonly string[] {
  const word = written.toLowerCase().slice(0, 40);
  let best: string[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const edits = countEdits(word, name.toLowerCase());
    if (edits > Math.max(1, Math.floor(name.length / 3)) || edits > least) continue;
    if (edits < least) best = [];
    least = edits;
    best.push(name);
  }
  if (best.length === 0 && word.length >= 2)
    best = names.filter((name) => name.toLowerCase().startsWith(word));
  return best.slice(0, MOST_NAMES);
}

export function findNearestName(written: string, names: readonly string[]): string | undefined {
  return findNearestNames(written, names)[0];
}

/** Insertions, deletions, replacements and swaps of neighbors. */
export function countEdits(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
