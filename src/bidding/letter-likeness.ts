/**
 * How alike two cover letters are: the share of three-word sequences that they have in common. Names,
 * greetings and single replaced words change only the few sequences around them. Pure.
 */
import { foldText, splitWords } from '../query/words.ts';

/** The rest of a longer letter is not compared. */
const LONGEST_TEXT = 20_000;
/** Words in a row. */
const RUN = 3;
/** Hashes kept of a letter: all of one with up to 400 words, an even sample of a longer one. */
const MOST_HASHES = 400;
/** In words: shorter letters are alike by chance. */
const SHORTEST_LETTER = 12;

/** Hashes of a letter's word sequences, ascending: the lowest ones. */
export type LetterSketch = Uint32Array;

/** FNV-1a. */
function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}

/** With a final mix, so that the lowest hashes are an even sample. */
function hashRun(words: readonly number[], from: number): number {
  let hash = 0;
  for (let at = from; at < from + RUN; at++)
    hash = Math.imul(hash ^ (words[at] ?? 0), 0x9e3779b1) + at - from;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** @returns undefined for a letter that is too short to compare */
export function sketchLetter(letter: string): LetterSketch | undefined {
  const words = splitWords(foldText(letter.slice(0, LONGEST_TEXT))).map(hashWord);
  if (words.length < SHORTEST_LETTER) return undefined;
  const hashes = new Set<number>();
  for (let at = 0; at + RUN <= words.length; at++) hashes.add(hashRun(words, at));
  return Uint32Array.from(hashes).sort().slice(0, MOST_HASHES);
}

/** From 0 (nothing in common) to 1: the Jaccard index, exact for letters of up to 400 words. */
export function compareLetters(one: LetterSketch, other: LetterSketch): number {
  const isWhole = one.length < MOST_HASHES && other.length < MOST_HASHES;
  const most = isWhole ? one.length + other.length : MOST_HASHES;
  let [a, b, shared, seen] = [0, 0, 0, 0];
  // Both are samples of the lowest hashes, so only the lowest of their union can be judged.
  for (; seen < most && (a < one.length || b < other.length); seen++) {
    const left = one[a] ?? Number.POSITIVE_INFINITY;
    const right = other[b] ?? Number.POSITIVE_INFINITY;
    if (left === right) shared++;
    if (left <= right) a++;
    if (right <= left) b++;
  }
  return seen === 0 ? 0 : shared / seen;
}

/** From this on, letters count as nearly equal. Measured: docs/decisions/0005-bids.md. */
export const NEARLY_EQUAL = 0.6;
