/**
 * JSON that is long and rarely read, held deflated and outside of V8's heap: a garbage collection does not walk through it, and it takes
 * a third of its room. Several texts share a block, since a text alone deflates half as well.
 *
 * What came last is often replaced soon, so the newest blocks are not deflated yet, and only what is still wanted of them moves on. A
 * block of which less than half is wanted is emptied in the same way: else one text would keep the room of twenty.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Of text: some twenty letters. To read one of them takes a tenth of a millisecond, which is what inflating them all takes. */
const BLOCK_BYTES = 32 * 1024;
/** 2 MiB, in which there is room for the thousand projects that came last. */
const MOST_PLAIN = 64;
/** Of which a text costs next to nothing to read: 2 MiB. */
const MOST_INFLATED = 64;
/** The fastest; slower ones save a twentieth more. */
const LEVEL = 1;

export interface PackedJson {
  /** The text as it was packed; also after its release. */
  read(): string;
  /** It is not wanted any more, but by those who read it already. */
  releaseMemory(): void;
}

/** Bytes of texts, one behind the other. */
interface Block {
  readonly texts: PackedText[];
  readonly isDeflated: boolean;
  readonly bytes: Buffer;
  /** Of text, before deflating. */
  length: number;
  /** Of texts that are still wanted. */
  wanted: number;
}

function plainBlock(bytes: number): Block {
  return { texts: [], isDeflated: false, bytes: Buffer.allocUnsafeSlow(bytes), length: 0, wanted: 0 };
}

/** Of a text that is not in its block yet. */
const NOWHERE = plainBlock(0);

export class JsonPacker {
  /** Those that were read last, the latest at the end. */
  readonly #inflated = new Map<Block, Buffer>();
  /** Not deflated yet, the oldest first; the last one is being filled. */
  readonly #plain = new Set<Block>();
  #open = plainBlock(BLOCK_BYTES);
  #bytes = 0;

  /** What is held for texts that are wanted, in bytes; without what is kept inflated. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param json as `JSON.stringify` writes it, which leaves no half of a pair alone: UTF-8 has none. */
  pack(json: string): PackedJson {
    const text = new PackedText(this);
    this.#add(text, Buffer.from(json));
    this.#deflateOldest();
    return text;
  }

  /** The text's bytes. */
  readBytes({ block, from, to }: PackedText): Buffer {
    return (block.isDeflated ? this.#inflate(block) : block.bytes).subarray(from, to);
  }

  releaseText({ block, from, to }: PackedText): void {
    block.wanted -= to - from;
    if (block === this.#open) return;
    if (block.isDeflated && block.wanted < block.length / 2) this.#empty(block);
    else if (block.wanted === 0 && this.#plain.delete(block)) this.#bytes -= block.bytes.length;
    this.#deflateOldest();
  }

  #add(text: PackedText, bytes: Buffer): void {
    if (this.#open.length + bytes.length > this.#open.bytes.length || !this.#plain.has(this.#open)) {
      this.#open = plainBlock(Math.max(BLOCK_BYTES, bytes.length));
      this.#plain.add(this.#open);
      this.#bytes += this.#open.bytes.length;
    }
    const block = this.#open;
    bytes.copy(block.bytes, block.length);
    text.move(block, block.length, block.length + bytes.length);
  }

  #deflateOldest(): void {
    for (const block of this.#plain) {
      if (this.#plain.size <= MOST_PLAIN) return;
      this.#plain.delete(block);
      if (block.wanted < block.length / 2) this.#empty(block);
      else this.#deflate(block);
    }
  }

  /** What is wanted of it moves to the newest. */
  #empty(block: Block): void {
    this.#bytes -= block.bytes.length;
    for (const text of block.texts) if (!text.isReleased) this.#add(text, this.readBytes(text));
    this.#inflated.delete(block);
    leave(block);
  }

  /** What is wanted of it moves to a block of its own. Whoever reads the rest has the block as it was. */
  #deflate(plain: Block): void {
    const texts = plain.texts.filter(({ isReleased }) => !isReleased);
    const parts = texts.map((text) => this.readBytes(text));
    const deflated = deflateRawSync(Buffer.concat(parts), { level: LEVEL });
    // What zlib gives is the beginning of a larger buffer.
    const bytes = Buffer.allocUnsafeSlow(deflated.length);
    deflated.copy(bytes);
    const block: Block = { texts: [], isDeflated: true, bytes, length: 0, wanted: 0 };
    this.#bytes += bytes.length - plain.bytes.length;
    for (const [at, text] of texts.entries())
      text.move(block, block.length, block.length + (parts[at]?.length ?? 0));
    leave(plain);
  }

  #inflate(block: Block): Buffer {
    const bytes = this.#inflated.get(block) ?? inflateRawSync(block.bytes);
    this.#inflated.delete(block);
    this.#inflated.set(block, bytes);
    const [oldest] = this.#inflated.keys();
    if (this.#inflated.size > MOST_INFLATED && oldest) this.#inflated.delete(oldest);
    return bytes;
  }
}

/** Nothing of it is wanted any more. Whoever still reads a text of it must not keep the blocks to which the others went. */
function leave(block: Block): void {
  block.wanted = 0;
  block.texts.length = 0;
}

class PackedText implements PackedJson {
  readonly #packer: JsonPacker;
  block: Block = NOWHERE;
  from = 0;
  to = 0;
  isReleased = false;

  constructor(packer: JsonPacker) {
    this.#packer = packer;
  }

  read(): string {
    return this.#packer.readBytes(this).toString();
  }

  releaseMemory(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.#packer.releaseText(this);
  }

  /** Behind what stands in a block. */
  move(block: Block, from: number, to: number): void {
    this.block = block;
    this.from = from;
    this.to = to;
    block.texts.push(this);
    block.length = to;
    block.wanted += to - from;
  }
}
