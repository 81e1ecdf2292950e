/**
 * Deflated JSON outside of V8's heap, for long and rarely read texts. Garbage collection doesn't scan it, and
 * it takes a third of the space. Several texts share a block: a text alone deflates half as well.
 * The latest texts are often replaced soon, so the newest blocks are not deflated yet, and only texts still
 * in use move on. A block with less than half in use is emptied the same way: otherwise one text could keep
 * the space of twenty.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { putBounded } from '../base/put-bounded.ts';

/** About twenty cover letters. Reading one takes a tenth of a millisecond: it inflates the whole block. */
const BLOCK_BYTES = 32 * 1024;
/**
 * How many of the newest blocks aren't deflated yet, and how many recently read ones stay inflated, so that
 * reading their texts costs almost nothing: a share of all, since a process may hold many small workspaces.
 */
const EASY_SHARE = 1 / 16;
const LEAST_EASY = 4;
/** 2 MiB, enough for the thousand latest projects. */
const MOST_EASY = 64;
/** The fastest; slower levels save 5% more. */
const LEVEL = 1;

interface Block {
  readonly texts: PackedJson[];
  readonly isDeflated: boolean;
  readonly bytes: Buffer;
  /** Bytes of text, before deflating. */
  length: number;
  /** Bytes of text still in use. */
  wanted: number;
}

function plainBlock(bytes: number): Block {
  return { texts: [], isDeflated: false, bytes: Buffer.allocUnsafeSlow(bytes), length: 0, wanted: 0 };
}

export class JsonPacker {
  /** Recently read blocks, the latest at the end. */
  readonly #inflated = new Map<Block, Buffer>();
  /** Not deflated yet, oldest first; the last one is being filled. */
  readonly #plain = new Set<Block>();
  #open = plainBlock(BLOCK_BYTES);
  #bytes = 0;
  #deflatedBlocks = 0;

  /** Memory for texts in use, in bytes; without the inflated copies. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param json as `JSON.stringify` writes it, without lone surrogates: UTF-8 can't encode them. */
  pack(json: string): PackedJson {
    const text = new PackedJson(this);
    this.#add(text, Buffer.from(json));
    this.#deflateOldest();
    return text;
  }

  readBytes({ block, from, to }: PackedJson): Buffer {
    return (block.isDeflated ? this.#inflate(block) : block.bytes).subarray(from, to);
  }

  releaseText({ block, from, to }: PackedJson): void {
    block.wanted -= to - from;
    if (block === this.#open) return;
    if (block.isDeflated && block.wanted < block.length / 2) this.#empty(block);
    else if (block.wanted === 0 && this.#plain.delete(block)) this.#bytes -= block.bytes.length;
    this.#deflateOldest();
  }

  #add(text: PackedJson, bytes: Buffer): void {
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
      if (this.#plain.size <= this.#easyBlocks()) return;
      this.#plain.delete(block);
      if (block.wanted < block.length / 2) this.#empty(block);
      else this.#deflate(block);
    }
  }

  /** Moves the texts still in use to the newest block. */
  #empty(block: Block): void {
    this.#bytes -= block.bytes.length;
    if (block.isDeflated) this.#deflatedBlocks -= 1;
    for (const text of block.texts) if (!text.isReleased) this.#add(text, this.readBytes(text));
    this.#inflated.delete(block);
    leave(block);
  }

  /** Moves the texts still in use to a deflated block. Readers of the others keep the old block. */
  #deflate(plain: Block): void {
    const texts = plain.texts.filter(({ isReleased }) => !isReleased);
    const parts = texts.map((text) => this.readBytes(text));
    const deflated = deflateRawSync(Buffer.concat(parts), { level: LEVEL });
    // zlib returns a slice of a larger buffer.
    const bytes = Buffer.allocUnsafeSlow(deflated.length);
    deflated.copy(bytes);
    const block: Block = { texts: [], isDeflated: true, bytes, length: 0, wanted: 0 };
    this.#bytes += bytes.length - plain.bytes.length;
    this.#deflatedBlocks += 1;
    for (const [at, text] of texts.entries())
      text.move(block, block.length, block.length + (parts[at]?.length ?? 0));
    leave(plain);
  }

  #inflate(block: Block): Buffer {
    const bytes = this.#inflated.get(block) ?? inflateRawSync(block.bytes);
    putBounded(this.#inflated, block, bytes, this.#easyBlocks());
    return bytes;
  }

  #easyBlocks(): number {
    const share = Math.floor((this.#plain.size + this.#deflatedBlocks) * EASY_SHARE);
    return Math.min(Math.max(share, LEAST_EASY), MOST_EASY);
  }
}

/** Empties the block: a reader of one of its texts must not keep the other texts' new blocks in memory. */
function leave(block: Block): void {
  block.wanted = 0;
  block.texts.length = 0;
}

/** The block of a text that isn't in one yet. */
const NOWHERE = plainBlock(0);

export class PackedJson {
  readonly #packer: JsonPacker;
  block = NOWHERE;
  from = 0;
  to = 0;
  isReleased = false;

  constructor(packer: JsonPacker) {
    this.#packer = packer;
  }

  /** The packed text; readable after its release, too. */
  read(): string {
    return this.#packer.readBytes(this).toString();
  }

  /** Marks the text as unused, except by callers that already read it. */
  releaseMemory(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.#packer.releaseText(this);
  }

  /** Places the text at the end of a block. */
  move(block: Block, from: number, to: number): void {
    this.block = block;
    this.from = from;
    this.to = to;
    block.texts.push(this);
    block.length = to;
    block.wanted += to - from;
  }
}
