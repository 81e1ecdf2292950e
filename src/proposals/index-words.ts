/** An inverted index: which slots contain a word, and with what weight. Pure except for its own memory. */
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
