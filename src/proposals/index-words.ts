/**
 * The words of proposals: an inverted index (which slots contain a word, and with what weight), and which
 * slots may contain two adjacent words. Posting lists have four bytes for each slot and weight. There are
 * millions of entries, so they are outside V8's heap. There are tens of thousands of words, so lists share
 * buffers. Pure except for its own memory.
 */

/** A slot and a weight (1 to 15) in one number, ascending by slot. */
export type Postings = Uint32Array;

const WEIGHT_BITS = 4;
const MOST_WEIGHT = 2 ** WEIGHT_BITS - 1;
/** Most words are rare. */
const SMALLEST_ROOM = 8;
const LARGEST_SHARED_ROOM = 1_024;
const SHARED = 8 * 1_024;

export function decodeSlot(posting: number): number {
  return posting >> WEIGHT_BITS;
}

export function decodeWeight(posting: number): number {
  return posting & MOST_WEIGHT;
}

function encodePosting(slot: number, weight: number): number {
  return (slot << WEIGHT_BITS) | Math.min(weight, MOST_WEIGHT);
}

interface PostingBuffer {
  readonly buffer: Uint32Array;
  readonly start: number;
  readonly size: number;
}

/**
 * Space for lists. A list that outgrows its space gets one twice as large, and another list reuses the old
 * one.
 */
export class PostingBufferPool {
  #buffer = new Uint32Array(0);
  #used = 0;
  readonly #free = new Map<number, PostingBuffer[]>();

  allocateBuffer(size: number): PostingBuffer {
    if (size > LARGEST_SHARED_ROOM) return { buffer: new Uint32Array(size), start: 0, size };
    const free = this.#free.get(size)?.pop();
    if (free) return free;
    if (this.#used + size > this.#buffer.length) {
      this.#buffer = new Uint32Array(SHARED);
      this.#used = 0;
    }
    const room = { buffer: this.#buffer, start: this.#used, size };
    this.#used += size;
    return room;
  }

  reclaimBuffer(room: PostingBuffer): void {
    if (room.size > LARGEST_SHARED_ROOM) return;
    const free = this.#free.get(room.size);
    if (free) free.push(room);
    else this.#free.set(room.size, [room]);
  }
}

export class PostingList {
  readonly #rooms: PostingBufferPool;
  #room: PostingBuffer;
  #size = 0;

  constructor(rooms: PostingBufferPool) {
    this.#rooms = rooms;
    this.#room = rooms.allocateBuffer(SMALLEST_ROOM);
  }

  get size(): number {
    return this.#size;
  }

  /** The present entries; read them immediately. */
  readAll(): Postings {
    const { buffer, start } = this.#room;
    return buffer.subarray(start, start + this.#size);
  }

  /** The slot must be new. A weight above 15 counts as 15. */
  add(place: number, weight: number): void {
    if (this.#size === this.#room.size) this.#move();
    const { buffer, start } = this.#room;
    const end = start + this.#size;
    const at = this.#find(place);
    if (at < end) buffer.copyWithin(at + 1, at, end);
    buffer[at] = encodePosting(place, weight);
    this.#size += 1;
  }

  remove(place: number): void {
    const { buffer, start } = this.#room;
    const end = start + this.#size;
    const at = this.#find(place);
    if (at === end || decodeSlot(buffer[at] ?? 0) !== place) return;
    buffer.copyWithin(at, at + 1, end);
    this.#size -= 1;
  }

  /** Don't use the list afterwards. */
  releaseBuffer(): void {
    this.#rooms.reclaimBuffer(this.#room);
  }

  #move(): void {
    const room = this.#rooms.allocateBuffer(this.#room.size * 2);
    room.buffer.set(this.readAll(), room.start);
    this.#rooms.reclaimBuffer(this.#room);
    this.#room = room;
  }

  /** Where in the buffer a slot is, or belongs; mostly it comes last. */
  #find(place: number): number {
    const { buffer, start } = this.#room;
    let [low, high] = [start, start + this.#size];
    if (high === low || decodeSlot(buffer[high - 1] ?? 0) < place) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (decodeSlot(buffer[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Words are grouped by their first code units, so a prefix search checks only a few. */
const START_LENGTH = 2;
const NONE: Postings = new Uint32Array(0);

export class WordIndex {
  readonly #rooms = new PostingBufferPool();
  /** Half of all words are in one proposal only: then this is its posting, which needs no list. */
  readonly #postings = new Map<string, PostingList | number>();
  readonly #letters = new Map<string, number>();
  readonly #byStart = new Map<string, Set<string>>();

  /** Adds a slot that has none of these words yet. A weight above 15 counts as 15. */
  add(place: number, weights: ReadonlyMap<string, number>): void {
    for (const [word, weight] of weights) {
      const known = this.#postings.get(word);
      if (known === undefined) this.#begin(word, encodePosting(place, weight));
      else if (typeof known !== 'number') known.add(place, weight);
      else this.#postings.set(word, this.#listOf(known, place, weight));
    }
  }

  remove(place: number, words: Iterable<string>): void {
    for (const word of new Set(words)) {
      const known = this.#postings.get(word);
      if (typeof known !== 'number') known?.remove(place);
      const isOver = typeof known === 'number' ? decodeSlot(known) === place : known?.size === 0;
      if (isOver) this.#end(word);
    }
  }

  postingsFor(word: string): Postings {
    const known = this.#postings.get(word);
    return typeof known === 'number' ? Uint32Array.of(known) : (known?.readAll() ?? NONE);
  }

  countSlots(word: string): number {
    const known = this.#postings.get(word);
    return typeof known === 'number' ? 1 : (known?.size ?? 0);
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

  #listOf(posting: number, place: number, weight: number): PostingList {
    const list = new PostingList(this.#rooms);
    list.add(decodeSlot(posting), decodeWeight(posting));
    list.add(place, weight);
    return list;
  }

  #begin(cut: string, posting: number): void {
    // A copy: a substring can keep its whole source text in memory.
    const word = Buffer.from(cut).toString();
    this.#postings.set(word, posting);
    this.#letters.set(word, computeLetterMask(word));
    const start = word.slice(0, START_LENGTH);
    const words = this.#byStart.get(start) ?? new Set();
    this.#byStart.set(start, words.add(word));
  }

  #end(word: string): void {
    const known = this.#postings.get(word);
    if (typeof known !== 'number') known?.releaseBuffer();
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

/** 256 bytes per slot: a letter of 240 words sets an eighth of the bits, so 1 text in 8 is read in vain. */
const BITS = 2_048;
const WORDS_OF_BITS = BITS / 32;
/** Slots per buffer. Growing adds a buffer, since a larger one would leave the old one as garbage. */
const PLACES_TOGETHER = 128;

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
