/**
 * Posting lists: the slots and weights of a word, four bytes each. There are millions of entries, so they are
 * outside V8's heap. There are tens of thousands of words, so lists share buffers. Pure except for its own
 * memory.
 */

/** A slot and a weight (1 to 15) in one number, ascending by slot. */
export type Postings = Uint32Array;

const WEIGHT_BITS = 4;
const MOST_WEIGHT = 2 ** WEIGHT_BITS - 1;
/** Most words are rare. */
const SMALLEST_ROOM = 8;
const LARGEST_SHARED_ROOM = 1_024;
const SHARED = 64 * 1_024;

export function decodeSlot(posting: number): number {
  return posting >> WEIGHT_BITS;
}

export function decodeWeight(posting: number): number {
  return posting & MOST_WEIGHT;
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
    buffer[at] = (place << WEIGHT_BITS) | Math.min(weight, MOST_WEIGHT);
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
