/** Reads a snapshot slice by slice, and trusts it only as a whole: by its size and checksum. */
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { asError } from '../../errors.ts';
import {
  assertDataNotNewer,
  type DataVersion,
  FIRST_DATA_VERSION,
  WrittenDataVersion,
} from '../data-version.ts';
import { type Key, StorageError } from '../store.ts';
import { createEmptyStoreData, getOrCreateRecords, type StoreData } from './data.ts';
import type { Disk } from './disk.ts';
import { type LineBlock, readLineBlocks } from './lines.ts';
import type { AnyCollection, CollectionRecords } from './records.ts';

export const SNAPSHOT_FORMAT_VERSION = 1;

const Head = z.object({
  gigdesk: z.literal('snapshot'),
  version: z.number().int(),
  /** Missing in snapshots from before data versions. */
  data: WrittenDataVersion.optional(),
  sequence: z.number().int().nonnegative(),
  segment: z.number().int().positive(),
});
const CollectionLine = z.object({ collection: z.string() });
const End = z.object({ end: z.literal('snapshot'), bytes: z.number(), crc32: z.number() });

export type SnapshotReadResult =
  | { readonly data: StoreData; readonly bytes: number; readonly version: DataVersion }
  | { readonly damage: string };

/** Records are arrays: no other line starts this way. */
const END_LINE = '{"end":';

class SnapshotReader {
  readonly #collections: Map<string, CollectionRecords>;
  #records: CollectionRecords | undefined;
  #head: z.infer<typeof Head> | undefined;
  #ended = false;
  #bytes = 0;
  #checksum = 0;
  readonly #known: DataVersion;

  constructor(collections: readonly AnyCollection[], known: DataVersion) {
    this.#known = known;
    this.#collections = new Map(createEmptyStoreData(collections).collections);
  }

  /** @throws Error when the block is damaged. */
  take(block: LineBlock): void {
    if (!block.whole || this.#ended) throw new Error('it has an incomplete line or data after its end');
    const lastLine = block.bytes.lastIndexOf('\n', block.bytes.length - 2) + 1;
    if (block.bytes.toString('latin1', lastLine, lastLine + END_LINE.length) !== END_LINE)
      this.#takeContent(block.bytes);
    else this.#takeWithEnd(block.bytes, lastLine);
  }

  #takeWithEnd(bytes: Buffer, endLine: number): void {
    this.#takeContent(bytes.subarray(0, endLine));
    this.#takeEnd(bytes.toString('utf8', endLine));
  }

  finish(): SnapshotReadResult {
    if (!this.#head || !this.#ended) return { damage: 'its end is missing' };
    const { sequence, segment } = this.#head;
    const version = this.#head.data ?? FIRST_DATA_VERSION;
    return { data: { collections: this.#collections, sequence, segment }, bytes: this.#bytes, version };
  }

  #takeContent(bytes: Buffer): void {
    this.#bytes += bytes.length;
    this.#checksum = crc32(bytes, this.#checksum);
    for (const line of bytes.toString('utf8').split('\n')) {
      if (line !== '') this.#takeLine(JSON.parse(line));
    }
  }

  #takeLine(line: unknown): void {
    if (!this.#head) {
      this.#head = readHead(line, this.#known);
    } else if (Array.isArray(line)) {
      if (!this.#records) throw new Error('a record comes before its collection');
      this.#records.load(line[0] as Key, line[1]);
    } else {
      this.#records = getOrCreateRecords(this.#collections, CollectionLine.parse(line).collection);
    }
  }

  #takeEnd(line: string): void {
    const end = End.parse(JSON.parse(line));
    if (end.bytes !== this.#bytes || end.crc32 !== this.#checksum)
      throw new Error("its checksum doesn't match");
    this.#ended = true;
  }
}

function readHead(line: unknown, known: DataVersion): z.infer<typeof Head> {
  const head = Head.parse(line);
  assertDataNotNewer(head.data, known);
  if (head.version === SNAPSHOT_FORMAT_VERSION) return head;
  throw new StorageError(
    'newer',
    `A newer version of Gigdesk wrote this data (format ${head.version}; ` +
      `this version reads format ${SNAPSHOT_FORMAT_VERSION}). Start the newer version.`,
  );
}

/** A snapshot's data, or why it can't be trusted. @throws when the disk fails or a newer version wrote it. */
export async function readSnapshot(
  disk: Disk,
  path: string,
  collections: readonly AnyCollection[],
  known: DataVersion,
): Promise<SnapshotReadResult> {
  const reader = new SnapshotReader(collections, known);
  for await (const block of readLineBlocks(disk.read(path))) {
    const damage = damageIn(() => reader.take(block));
    if (damage !== undefined) return { damage };
  }
  return reader.finish();
}

function damageIn(step: () => void): string | undefined {
  try {
    step();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof StorageError) throw thrown;
    return asError(thrown).message;
  }
}
