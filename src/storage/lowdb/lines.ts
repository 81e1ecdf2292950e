/** Splits a file that arrives in pieces into whole lines. */

const NEWLINE = 10;

export interface LineBlock {
  /** One or more whole lines, each with its newline; or the end of the file without one. */
  readonly bytes: Buffer;
  readonly whole: boolean;
}

export async function* readLineBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (end > 0) yield { bytes: Buffer.concat([...rest, bytes.subarray(0, end)]), whole: true };
    if (end > 0) rest = [];
    if (end < bytes.length) rest.push(bytes.subarray(end));
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), whole: false };
}

/** Without newlines. */
export function* splitLines(block: LineBlock): Generator<Buffer> {
  let start = 0;
  while (start < block.bytes.length) {
    const newline = block.bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? block.bytes.length : newline;
    yield block.bytes.subarray(start, end);
    start = end + 1;
  }
}
