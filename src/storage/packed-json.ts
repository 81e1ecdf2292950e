/**
 * JSON that is long and rarely read, held deflated and outside of V8's heap: a garbage collection does not walk through it, and it takes
 * a third of its room. Several texts share a block, since a text alone deflates half as well.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Of text: some twenty letters. To read one of them takes a tenth of a millisecond, which is what inflating them all takes. */
const BLOCK_BYTES = 32 * 1024;
/** Of which a text costs next to nothing: 2 MiB, in which there is room for the thousand projects that came last. */
const MOST_INFLATED = 64;
/** The fastest; slower ones save a twentieth more. */
const LEVEL = 1;

export interface PackedJson {
  /** The text as it was packed. */
  read(): string;
}

/** Texts that are packed one after the other; a block lives for as long as anybody holds one of its texts. */
export class JsonPacker {
  /** Those that were read last, the latest at the end. */
  readonly #inflated = new Map<Block, Buffer>();
  #open = new Block();

  /** @param json as `JSON.stringify` writes it, which leaves no half of a pair alone: UTF-8 has none. */
  pack(json: string): PackedJson {
    const block = this.#open;
    const packed = new PackedText(this.#inflated, block, block.add(json));
    if (block.isFull) {
      block.seal();
      this.#open = new Block();
    }
    return packed;
  }
}

class PackedText implements PackedJson {
  readonly #inflated: Map<Block, Buffer>;
  readonly #block: Block;
  readonly #at: number;

  constructor(inflated: Map<Block, Buffer>, block: Block, at: number) {
    this.#inflated = inflated;
    this.#block = block;
    this.#at = at;
  }

  read(): string {
    return this.#block.read(this.#at, this.#inflated);
  }
}

class Block {
  /** Undefined when it is sealed. */
  #texts: string[] | undefined = [];
  /** Where each text ends, in bytes. */
  readonly #ends: number[] = [];
  #deflated: Buffer | undefined;

  get isFull(): boolean {
    return (this.#ends.at(-1) ?? 0) >= BLOCK_BYTES;
  }

  /** @returns its place. */
  add(text: string): number {
    this.#texts?.push(text);
    return this.#ends.push((this.#ends.at(-1) ?? 0) + Buffer.byteLength(text)) - 1;
  }

  seal(): void {
    const deflated = deflateRawSync((this.#texts ?? []).join(''), { level: LEVEL });
    // What zlib gives is the beginning of a larger buffer.
    this.#deflated = Buffer.allocUnsafeSlow(deflated.length);
    deflated.copy(this.#deflated);
    this.#texts = undefined;
  }

  read(at: number, inflated: Map<Block, Buffer>): string {
    const open = this.#texts?.[at];
    if (open !== undefined) return open;
    return this.#inflate(inflated).toString('utf8', at === 0 ? 0 : this.#ends[at - 1], this.#ends[at]);
  }

  #inflate(inflated: Map<Block, Buffer>): Buffer {
    const bytes = inflated.get(this) ?? inflateRawSync(this.#deflated ?? Buffer.alloc(0));
    inflated.delete(this);
    inflated.set(this, bytes);
    const [oldest] = inflated.keys();
    if (inflated.size > MOST_INFLATED && oldest) inflated.delete(oldest);
    return bytes;
  }
}
