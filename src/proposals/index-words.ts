/** Which places hold a word, and with how much weight: an inverted index. Pure but for its own memory. */
import { PostingBufferPool, PostingList, type Postings } from './index-postings.ts';

/** Words are kept by their first units, so that the beginning of a word is looked for among few. */
const START_LENGTH = 2;
const NONE: Postings = new Uint32Array(0);

export class WordIndex {
  readonly #rooms = new PostingBufferPool();
  readonly #postings = new Map<string, PostingList>();
  readonly #letters = new Map<string, number>();
  readonly #byStart = new Map<string, Set<string>>();

  /** Adds a place that holds none of these words yet. A weight above 15 counts as 15. */
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

  /** How many places hold it. */
  countSlots(word: string): number {
    return this.#postings.get(word)?.size ?? 0;
  }

  /** Of the word itself, whether it is there or not, and then of those that go on from it. */
  postingsWithPrefix(start: string): readonly Postings[] {
    const found = [this.postingsFor(start)];
    for (const word of this.#startingAlike(start))
      if (word.length > start.length && word.startsWith(start)) found.push(this.postingsFor(word));
    return found;
  }

  /** Every word with its letters, as `lettersOf` gives them. */
  wordsWithLetterMask(): Iterable<readonly [word: string, letters: number]> {
    return this.#letters;
  }

  #startingAlike(start: string): Iterable<string> {
    if (start.length < START_LENGTH) return this.#postings.keys();
    return this.#byStart.get(start.slice(0, START_LENGTH)) ?? [];
  }

  #begin(cut: string): PostingList {
    // A copy: what is cut out of a text can keep all of that text.
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

/** Which letters there are, as bits: one typing error changes two at most. */
export function computeLetterMask(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}
