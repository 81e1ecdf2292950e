/**
 * Which places may hold two words side by side: a few bits for each place, so that a phrase of frequent words is looked for in
 * few texts. Never wrong when it says no. Pure but for its own memory.
 */

/** 256 bytes a place: a letter of 240 words sets an eighth of them, so that one in eight texts is read in vain. */
const BITS = 2_048;
const WORDS_OF_BITS = BITS / 32;
/** In one buffer: more room is one buffer more, where a larger one would leave the old one behind. */
const PLACES_TOGETHER = 1_024;

const NONE = new Uint32Array(0);

export class WordPairFilter {
  readonly #buffers: Uint32Array[] = [];

  /** Replaces what the place held. */
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

  /** @param pairs as `hashWordPair` gives them. */
  mayContain(place: number, pairs: readonly number[]): boolean {
    const bits = this.#bufferOf(place);
    const from = (place % PLACES_TOGETHER) * WORDS_OF_BITS;
    for (const bit of pairs) if (((bits[from + (bit >> 5)] ?? 0) & (1 << (bit & 31))) === 0) return false;
    return true;
  }

  #bufferOf(place: number): Uint32Array {
    return this.#buffers[Math.floor(place / PLACES_TOGETHER)] ?? NONE;
  }
}

/** FNV-1a over both, down to a bit's number. */
export function hashWordPair(first: string, second: string): number {
  const hash = hashOn(Math.imul(hashOn(0x81_1c_9d_c5, first) ^ 32, 0x01_00_01_93), second);
  return (hash ^ (hash >>> 15)) & (BITS - 1);
}

function hashOn(before: number, word: string): number {
  let hash = before;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01_00_01_93);
  return hash;
}
