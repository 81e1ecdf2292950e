/**
 * Compares words: makes texts comparable, finds words in them, and finds the nearest names for "Did you
 * mean". Pure.
 */

/** Accents and optional vowels. Marks of Thai, kana and Indic scripts are letters of their own. */
const UNHEARD = /(?![\u3099\u309a])(?=[\p{sc=Zinh}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Cyrillic}])\p{M}|\p{Cf}/gu;
/** Letters that Unicode doesn't take apart. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
};
const ASCII = /^[\n -~]*$/u;
const LETTERS_TO_FOLD = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

/**
 * Makes text comparable.
 * @returns lowercase text without accents and invisible characters; ß is ss, ø is o. Quotes are straight,
 * dashes are spaces, and single spaces separate words, with none at the ends. Lone surrogates are dropped.
 */
export function foldText(text: string): string {
  const letters = ASCII.test(text) ? text.toLowerCase() : foldLetters(text);
  return letters.replace(/[\s\p{Pd}\p{Cs}]+/gu, ' ').trim();
}

function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(UNHEARD, '')
    .normalize('NFC')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .toLowerCase()
    .replace(LETTERS_TO_FOLD, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** A letter of a script that writes words without blanks between them, or adds endings to any word. */
export const UNSPACED = [
  String.raw`(?=[\p{L}\p{N}\p{M}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}`,
  String.raw`\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`,
].join('');
/** A letter of any other script: next to one, a word goes on. */
export const WORD_PART = String.raw`(?:[a-z\d]|(?!${UNSPACED})[\p{L}\p{N}\p{M}])`;
const WORDS = new RegExp(`${WORD_PART}+|${UNSPACED}`, 'gu');
export const WORD_RUNS = new RegExp(`${WORD_PART}+|(?:${UNSPACED})+`, 'gu');
const IS_WORD_PART = new RegExp(`^${WORD_PART}`, 'u');

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
  const endsOpen = open || !endsInWord(words, words.length);
  const startsOpen = !startsWord(words, 0);
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if ((startsOpen || !endsInWord(text, at)) && (endsOpen || !startsWord(text, at + words.length)))
      return true;
  }
  return false;
}

/**
 * The words of a folded text, with the same boundaries as in `includesWords`. Where a script has no blanks,
 * each letter is one.
 */
export function splitWords(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}

/** Like `splitWords`, but letters without blanks between them are one word. */
export function splitWordRuns(text: string): readonly string[] {
  return text.match(WORD_RUNS) ?? [];
}

/** Whether a folded text ends in a word that other letters could continue. */
export function endsInLetter(text: string): boolean {
  return /\p{L}$/u.test(text) && endsInWord(text, text.length);
}

function endsInWord(text: string, end: number): boolean {
  const unit = text.charCodeAt(end - 1);
  const isLowHalf = unit >= 0xdc00 && unit <= 0xdfff;
  return isWordPart(isLowHalf ? text.codePointAt(end - 2) : unit);
}

function startsWord(text: string, at: number): boolean {
  return isWordPart(text.codePointAt(at));
}

function isWordPart(code: number | undefined): boolean {
  if (code === undefined || Number.isNaN(code)) return false;
  if (code < 128) return (code > 47 && code < 58) || (code > 96 && code < 123);
  return IS_WORD_PART.test(String.fromCodePoint(code));
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
