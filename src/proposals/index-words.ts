/** Which places hold a word, and with how much weight: an inverted index. Pure but for its own memory. */

/** A place and a weight (1 to 15) in one number, ascending by place: as small integers they cost 8 bytes each. */
export type Postings = readonly number[];

const WEIGHT_BITS = 4;
export const MOST_WEIGHT = 2 ** WEIGHT_BITS - 1;
/** Words are kept by their first units, so that the beginning of a word is looked for among few. */
const START_LENGTH = 2;

export function placeIn(posting: number): number {
  return posting >> WEIGHT_BITS;
}

export function weightIn(posting: number): number {
  return posting & MOST_WEIGHT;
}

export class WordIndex {
  readonly #postings = new Map<string, number[]>();
  readonly #letters = new Map<string, number>();
  readonly #byStart = new Map<string, Set<string>>();

  /** Adds a place that holds none of these words yet. A weight above 15 counts as 15. */
  add(place: number, weights: ReadonlyMap<string, number>): void {
    for (const [word, weight] of weights) {
      const postings = this.#postings.get(word) ?? this.#begin(word);
      const posting = (place << WEIGHT_BITS) | Math.min(weight, MOST_WEIGHT);
      if (posting > (postings.at(-1) ?? -1)) postings.push(posting);
      else postings.splice(findPlace(postings, place), 0, posting);
    }
  }

  remove(place: number, words: Iterable<string>): void {
    for (const word of new Set(words)) {
      const postings = this.#postings.get(word);
      if (!postings) continue;
      const at = findPlace(postings, place);
      if (placeIn(postings[at] ?? -1) === place) postings.splice(at, 1);
      if (postings.length === 0) this.#end(word);
    }
  }

  of(word: string): Postings {
    return this.#postings.get(word) ?? [];
  }

  /** Of the word itself, whether it is there or not, and then of those that go on from it. */
  beginning(start: string): readonly Postings[] {
    const found = [this.of(start)];
    for (const word of this.#startingAlike(start))
      if (word.length > start.length && word.startsWith(start)) found.push(this.of(word));
    return found;
  }

  /** Every word with its letters, as `lettersOf` gives them. */
  words(): Iterable<readonly [word: string, letters: number]> {
    return this.#letters;
  }

  #startingAlike(start: string): Iterable<string> {
    if (start.length < START_LENGTH) return this.#postings.keys();
    return this.#byStart.get(start.slice(0, START_LENGTH)) ?? [];
  }

  #begin(word: string): number[] {
    const postings: number[] = [];
    this.#postings.set(word, postings);
    this.#letters.set(word, lettersOf(word));
    const start = word.slice(0, START_LENGTH);
    const words = this.#byStart.get(start) ?? new Set();
    this.#byStart.set(start, words.add(word));
    return postings;
  }

  #end(word: string): void {
    this.#postings.delete(word);
    this.#letters.delete(word);
    const start = word.slice(0, START_LENGTH);
    const words = this.#byStart.get(start);
    words?.delete(word);
    if (words?.size === 0) this.#byStart.delete(start);
  }
}

/** Which letters there are, as bits: one typing error changes two at most. */
export function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

/** Where a place stands, or would have to. */
function findPlace(postings: Postings, place: number): number {
  let [low, high] = [0, postings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeIn(postings[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
