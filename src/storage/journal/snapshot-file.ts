/**
 * One snapshot: all records as JSON lines, between a head and an end with size and checksum. It is written
 * and read in slices small enough not to block the event loop, and trusted only as a whole.
 */
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { asError } from '../../errors.ts';
import { TeamId } from '../../ids.ts';
import { assertDataVersionKnown, type CommittedRecords, type RecordLoader } from '../commit-log.ts';
import { type DiskFile, type LineBlock, readLineBlocks, UNFINISHED_SUFFIX, withFile } from '../disk.ts';
import { type Key, StorageError } from '../store.ts';
import type { DataFolder, TeamFolder } from './data-folder.ts';

const Head = z.object({
  gigdesk: z.literal('snapshot'),
  /** The data version; of any type in a snapshot of another version. */
  data: z.unknown(),
  team: TeamId,
  sequence: z.number().int().nonnegative(),
  segment: z.number().int().positive(),
});
type Head = z.infer<typeof Head>;
const CollectionLine = z.object({ collection: z.string() });
const End = z.object({ end: z.literal('snapshot'), bytes: z.number(), crc32: z.number() });

/** Records are arrays: no other line starts this way. */
const END_LINE = '{"end":';

/** Where the journal continues a snapshot. */
export interface SnapshotPosition {
  /** The last transaction in the snapshot. */
  readonly sequence: number;
  /** The first journal segment whose lines are not in it. */
  readonly segment: number;
}

export type Snapshot = SnapshotPosition & CommittedRecords;

export type SnapshotReadResult =
  | { readonly position: SnapshotPosition; readonly team: TeamId; readonly bytes: number }
  | { readonly damage: string };

class SnapshotReader {
  readonly #loader: Pick<RecordLoader, 'load'>;
  readonly #known: number;
  #collection: string | undefined;
  #head: Head | undefined;
  #ended = false;
  #bytes = 0;
  #checksum = 0;

  constructor(loader: Pick<RecordLoader, 'load'>, known: number) {
    this.#loader = loader;
    this.#known = known;
  }

  /** @throws Error when the block is damaged. */
  take(block: LineBlock): void {
    if (!block.whole || this.#ended) throw new Error('it has an incomplete line or data after its end');
    const lastLine = block.bytes.lastIndexOf('\n', block.bytes.length - 2) + 1;
    if (block.bytes.toString('latin1', lastLine, lastLine + END_LINE.length) !== END_LINE)
      return this.#takeContent(block.bytes);
    this.#takeContent(block.bytes.subarray(0, lastLine));
    this.#takeEnd(block.bytes.toString('utf8', lastLine));
  }

  finish(): SnapshotReadResult {
    if (!this.#head || !this.#ended) return { damage: 'its end is missing' };
    const { sequence, segment, team } = this.#head;
    return { position: { sequence, segment }, team, bytes: this.#bytes };
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
      this.#head = Head.parse(line);
      assertDataVersionKnown(this.#head.data, this.#known);
    } else if (Array.isArray(line)) {
      if (this.#collection === undefined) throw new Error('a record comes before its collection');
      this.#loader.load(this.#collection, line[0] as Key, line[1]);
    } else {
      this.#collection = CollectionLine.parse(line).collection;
    }
  }

  #takeEnd(line: string): void {
    const end = End.parse(JSON.parse(line));
    if (end.bytes !== this.#bytes || end.crc32 !== this.#checksum)
      throw new Error("its checksum doesn't match");
    this.#ended = true;
  }
}

/**
 * Passes a snapshot's records to `loader`, or resolves to why it can't be trusted; then part of it is loaded.
 * @throws when the disk fails or another version wrote it.
 */
export async function readSnapshot(
  { disk, version }: DataFolder,
  path: string,
  loader: Pick<RecordLoader, 'load'>,
): Promise<SnapshotReadResult> {
  const reader = new SnapshotReader(loader, version);
  for await (const block of readLineBlocks(disk.read(path)))
    try {
      reader.take(block);
    } catch (thrown) {
      if (thrown instanceof StorageError) throw thrown;
      return { damage: asError(thrown).message };
    }
  return reader.finish();
}

/** JSON.stringify takes some milliseconds for it. */
const SLICE_CHARACTERS = 64 * 1024;
/** Synced as the file grows: one sync at the end would delay the journal's syncs for seconds. */
const SYNC_BYTES = 4 * 1024 * 1024;

function* formatSlices(
  { collections, sequence, segment }: Snapshot,
  { version, team }: TeamFolder,
): Generator<Buffer> {
  const head: Head = { gigdesk: 'snapshot', data: version, team, sequence, segment };
  let slice = `${JSON.stringify(head)}\n`;
  for (const [collection, records] of collections) {
    if (records.size > 0) slice += `${JSON.stringify({ collection })}\n`;
    for (const [key, json] of records.entries()) {
      slice += `[${JSON.stringify(key)},${json}]\n`;
      if (slice.length < SLICE_CHARACTERS) continue;
      yield Buffer.from(slice);
      slice = '';
    }
  }
  yield Buffer.from(slice);
}

async function writeSlices(file: DiskFile, snapshot: Snapshot, place: TeamFolder): Promise<number> {
  let bytes = 0;
  let synced = 0;
  let checksum = 0;
  for (const slice of formatSlices(snapshot, place)) {
    checksum = crc32(slice, checksum);
    await file.write(slice);
    bytes += slice.length;
    if (bytes - synced < SYNC_BYTES) continue;
    await file.sync();
    synced = bytes;
  }
  const end = Buffer.from(`${JSON.stringify({ end: 'snapshot', bytes, crc32: checksum })}\n`);
  await file.write(end);
  await file.sync();
  return bytes + end.length;
}

/** Resolves to the size in bytes when the file is durable; until then no file has that name. */
export async function writeSnapshot(place: TeamFolder, path: string, snapshot: Snapshot): Promise<number> {
  const { disk, folder } = place;
  const unfinished = path + UNFINISHED_SUFFIX;
  const created = await disk.create(unfinished);
  try {
    const bytes = await withFile(created, (file) => writeSlices(file, snapshot, place));
    await disk.rename(unfinished, path);
    await disk.syncFolder(folder);
    return bytes;
  } catch (thrown) {
    await disk.remove(unfinished).catch(() => undefined);
    throw thrown;
  }
}
