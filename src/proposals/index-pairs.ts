/**
 * Which slots may contain two adjacent words: a small bit set per slot, so that a phrase of frequent words is
 * checked in few texts. A "no" is always right. Pure except for its own memory.
 */

/**
 * 256 bytes per slot. A cover letter of 240 words sets an eighth of the bits, so one text in eight is read in
 * vain.
 */
const BITS = 2_048;
const WORDS_OF_BITS = BITS / 32;
/** Slots per buffer. Growing adds a buffer, since a larger one would leave the old one as garbage. */
const PLACES_TOGETHER = 1_024;

const NONE = new Uint32Array(0);

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
    return this.#buffers[Math.floor(place / PLACES_TOGETHER)] ?? NONE;
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
