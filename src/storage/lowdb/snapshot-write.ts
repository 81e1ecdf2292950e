/** Writes all data as a stream of lines, in slices small enough not to block the event loop. */
import { crc32 } from 'node:zlib';
import { type DataVersion, formatDataVersion } from '../data-version.ts';
import type { StoreData } from './data.ts';
import type { Disk, DiskFile } from './disk.ts';
import { UNFINISHED_SUFFIX } from './file-names.ts';
import { SNAPSHOT_FORMAT_VERSION } from './snapshot-read.ts';
import { formatStoredValue } from './stored-record.ts';

/** JSON.stringify takes some milliseconds for it. */
const SLICE_CHARACTERS = 64 * 1024;
/** Synced as the file grows: one sync at the end would delay the journal's syncs for seconds. */
const SYNC_BYTES = 4 * 1024 * 1024;

function* formatLines({ collections, sequence, segment }: StoreData, data: string): Generator<string> {
  const head = { gigdesk: 'snapshot', version: SNAPSHOT_FORMAT_VERSION, data, sequence, segment };
  yield `${JSON.stringify(head)}\n`;
  for (const records of collections.values()) {
    if (records.size === 0 && !records.hasUnreadable) continue;
    yield `${JSON.stringify({ collection: records.name })}\n`;
    for (const record of records.allRecords())
      yield `[${JSON.stringify(record.key)},${formatStoredValue(record)}]\n`;
    for (const { key, onDisk } of records.allUnreadable())
      yield `[${JSON.stringify(key)},${JSON.stringify(onDisk)}]\n`;
  }
}

function* formatSlices(data: StoreData, version: DataVersion): Generator<Buffer> {
  let slice = '';
  for (const line of formatLines(data, formatDataVersion(version))) {
    slice += line;
    if (slice.length < SLICE_CHARACTERS) continue;
    yield Buffer.from(slice);
    slice = '';
  }
  yield Buffer.from(slice);
}

async function writeSlices(file: DiskFile, data: StoreData, version: DataVersion): Promise<number> {
  let bytes = 0;
  let synced = 0;
  let checksum = 0;
  for (const slice of formatSlices(data, version)) {
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

async function writeAndClose(file: DiskFile, data: StoreData, version: DataVersion): Promise<number> {
  try {
    return await writeSlices(file, data, version);
  } finally {
    await file.close();
  }
}

/** Resolves to the size in bytes when the file is durable; until then no file has that name. */
export async function writeSnapshot(
  disk: Disk,
  folder: string,
  path: string,
  data: StoreData,
  version: DataVersion,
): Promise<number> {
  const unfinished = path + UNFINISHED_SUFFIX;
  const file = await disk.create(unfinished);
  try {
    const bytes = await writeAndClose(file, data, version);
    await disk.rename(unfinished, path);
    await disk.syncFolder(folder);
    return bytes;
  } catch (thrown) {
    await disk.remove(unfinished).catch(() => undefined);
    throw thrown;
  }
}
