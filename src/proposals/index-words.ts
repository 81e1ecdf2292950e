/**
 * The words of proposals: an inverted index (which slots contain a word, and with what weight), and which
 * slots may contain two adjacent words. Pure except for its own memory.
 */
import { PostingBufferPool, PostingList, type Postings } from './index-postings.ts';

/** Words are grouped by their first code units, so a prefix search checks only a few. */
const START_LENGTH = 2;
const NONE: Postings = new Uint32Array(0);

export class WordIndex {
  readonly #rooms = new PostingBufferPool();
  readonly #postings = new Map<string, PostingList>();
  readonly #letters = new Map<string, number>();
  readonly #byStart = new Map<string, Set<string>>();

  /** Adds a slot that has none of these words yet. A weight above 15 counts as 15. */
  add(place: number, weights: ReadonlyMap<string, number>): void {
    for (const [word, weight] of weights) (this.#postings.get(word) ?? this.#begin(word)).add(place, weight);
  }

  remove(place: number, words: Iterable<string>): void {
    for (const word of new Set(words)) {
      const postings = this.#postings.get(word);
      postings?.remove(place);
      if (postings?.size === 0) this.#end(word);
    }
  }

  postingsFor(word: string): Postings {
    return this.#postings.get(word)?.readAll() ?? NONE;
  }

  countSlots(word: string): number {
    return this.#postings.get(word)?.size ?? 0;
  }

  /** The postings of the word itself, present or not, followed by those of longer words with this prefix. */
  postingsWithPrefix(start: string): readonly Postings[] {
    const found = [this.postingsFor(start)];
    for (const word of this.#startingAlike(start))
      if (word.length > start.length && word.startsWith(start)) found.push(this.postingsFor(word));
    return found;
  }

  /** Every word with its mask from `computeLetterMask`. */
  wordsWithLetterMask(): Iterable<readonly [word: string, letters: number]> {
    return this.#letters;
  }

  #startingAlike(start: string): Iterable<string> {
    if (start.length < START_LENGTH) return this.#postings.keys();
    return this.#byStart.get(start.slice(0, START_LENGTH)) ?? [];
  }

  #begin(cut: string): PostingList {
    // A copy: a substring can keep its whole source text in memory.
    const word = Buffer.from(cut).toString();
    const postings = new PostingList(this.#rooms);
    this.#postings.set(word, postings);
    this.#letters.set(word, computeLetterMask(word));
    const start = word.slice(0, START_LENGTH);
    const words = this.#byStart.get(start) ?? new Set();
    this.#byStart.set(start, words.add(word));
    return postings;
  }

  #end(word: string): void {
    this.#postings.get(word)?.releaseBuffer();
    this.#postings.delete(word);
    this.#letters.delete(word);
    const start = word.slice(0, START_LENGTH);
    const words = this.#byStart.get(start);
    words?.delete(word);
    if (words?.size === 0) this.#byStart.delete(start);
  }
}

/** The letters of a word as bits; one typo changes at most two of them. */
export function computeLetterMask(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

/**
 * 256 bytes per slot. A cover letter of 240 words sets an eighth of the bits, so one text in eight is read in
 * vain.
 */
const BITS = 2_048;
const WORDS_OF_BITS = BITS / 32;
/** Slots per buffer. Growing adds a buffer, since a larger one would leave the old one as garbage. */
const PLACES_TOGETHER = 1_024;

const NO_PAIRS = new Uint32Array(0);

export class WordPairFilter {
  readonly #buffers: Uint32Array[] = [];

  set(place: number, words: readonly string[]): void {
    while (this.#buffers.length * PLACES_TOGETHER <= place)
      this.#buffers.push(new Uint32Array(PLACES_TOGETHER * WORDS_OF_BITS));
    const bits = this.#bufferOf(place);
    const from = (place % PLACES_TOGETHER) * WORDS_OF_BITS;
    bits.fill(0, from, from + WORDS_OF_BITS);
    for (let at = 1; at < words.length; at++) {
      const bit = hashWordPair(words[at - 1] ?? '', words[at] ?? '');
      const slot = from + (bit >> 5);
      bits[slot] = (bits[slot] ?? 0) | (1 << (bit & 31));
    }
  }

  /** @param pairs hashes from `hashWordPair`. */
  mayContain(place: number, pairs: readonly number[]): boolean {
    const bits = this.#bufferOf(place);
    const from = (place % PLACES_TOGETHER) * WORDS_OF_BITS;
    for (const bit of pairs) if (((bits[from + (bit >> 5)] ?? 0) & (1 << (bit & 31))) === 0) return false;
    return true;
  }

  #bufferOf(place: number): Uint32Array {
    return this.#buffers[Math.floor(place / PLACES_TOGETHER)] ?? NO_PAIRS;
  }
}

/** FNV-1a over both words, reduced to a bit number. */
export function hashWordPair(first: string, second: string): number {
  const hash = hashOn(Math.imul(hashOn(0x81_1c_9d_c5, first) ^ 32, 0x01_00_01_93), second);
  return (hash ^ (hash >>> 15)) & (BITS - 1);
}

function hashOn(before: number, word: string): number {
  let hash = before;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01_00_01_93);
  return hash;
}
