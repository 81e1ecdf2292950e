/**
 * What the store's files need from a disk, and the implementation for the file system; the files' names, and
 * their lines: eight hexadecimal digits of CRC-32, a space, JSON. Tests use a failing disk.
 */
import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Instant } from '../clock.ts';
import { systemErrorCode } from './store.ts';

export interface DiskFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the file's bytes would survive a loss of power. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Errors carry Node's `code` (ENOSPC, EIO, ENOENT …). Only the owner can read what it creates. */
export interface Disk {
  makeFolder(folder: string): Promise<void>;
  list(folder: string): Promise<string[]>;
  /** A new, empty file. @throws Error with code EEXIST */
  create(path: string): Promise<DiskFile>;
  /** Opens the file at its end; creates a missing one. */
  openForAppend(path: string): Promise<DiskFile>;
  /** The file's bytes in pieces of at most 64 KiB. */
  read(path: string): AsyncIterable<Uint8Array>;
  /** Shortens a file; durable when it resolves. */
  truncate(path: string, length: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes created, renamed and removed names durable. */
  syncFolder(folder: string): Promise<void>;
  touch(path: string, at: Instant): Promise<void>;
  lastModifiedAt(path: string): Promise<Instant>;
}

/** The end of the name of a file that is being written; useless when found at the start. */
export const UNFINISHED_SUFFIX = '.unfinished';

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
/** Small enough that handling one piece of records blocks the event loop for only a few milliseconds. */
const PIECE_BYTES = 64 * 1024;

async function openFile(path: string, flags: string): Promise<DiskFile> {
  const handle = await open(path, flags, OWNER_FILE);
  return {
    async write(bytes) {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
        done += bytesWritten;
      }
    },
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

async function syncAfter(
  path: string,
  flags: string | number,
  change: (handle: Awaited<ReturnType<typeof open>>) => Promise<void>,
) {
  const handle = await open(path, flags);
  try {
    await change(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export const fileSystemDisk: Disk = {
  async makeFolder(folder) {
    await mkdir(folder, { recursive: true, mode: OWNER_FOLDER });
    await chmod(folder, OWNER_FOLDER).catch((thrown) => {
      // Another user's folder that we may write to, such as a mounted volume: our files in it stay private.
      if (systemErrorCode(thrown) !== 'EPERM') throw thrown;
    });
  },
  list: (folder) => readdir(folder),
  create: (path) => openFile(path, 'ax'),
  openForAppend: (path) => openFile(path, 'a'),
  async *read(path) {
    const handle = await open(path, 'r');
    try {
      let next = handle.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES);
      for (;;) {
        const { bytesRead, buffer } = await next;
        if (bytesRead === 0) return;
        // Read ahead while the caller handles the piece before.
        next = handle.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES);
        next.catch(() => undefined);
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  },
  truncate: (path, length) => syncAfter(path, 'r+', (handle) => handle.truncate(length)),
  rename,
  remove: unlink,
  syncFolder: (folder) =>
    syncAfter(folder, constants.O_RDONLY | constants.O_DIRECTORY, () => Promise.resolve()),
  touch: (path, at) => utimes(path, at / 1_000, at / 1_000),
  lastModifiedAt: async (path) => (await stat(path)).mtimeMs,
};

/** Closes the file after `work`, also when that fails. */
export async function withFile<T>(file: DiskFile, work: (file: DiskFile) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

export async function removeFileIfExists(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown;
  }
}

const numbered = /^(snapshot|journal)-(\d{8,})\.jsonl$/;

type StoreFileKind = 'snapshot' | 'journal';

export function storeFilePath(folder: string, kind: StoreFileKind, segment: number): string {
  return join(folder, `${kind}-${String(segment).padStart(8, '0')}.jsonl`);
}

/** The numbers of the files of a kind, ascending. */
export function listFileNumbers(kind: StoreFileKind, names: readonly string[]): number[] {
  return names
    .map((name) => numbered.exec(name))
    .filter((match) => match?.[1] === kind)
    .map((match) => Number(match?.[2]))
    .sort((a, b) => a - b);
}

/** Whether a folder with these files holds any data. */
export function hasStoreFiles(names: readonly string[]): boolean {
  return names.some((name) => numbered.test(name));
}

/** `what` and the time, safe on every file system. */
export function quarantineFileName(what: string, at: Instant): string {
  return `${what}-${new Date(at).toISOString().replaceAll(':', '-')}`;
}

/** Two hexadecimal digits for each byte. A lookup takes a tenth of the time of formatting, once per line. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const PREFIX_LENGTH = 9;

function formatPrefix(json: string | Uint8Array): string {
  const sum = crc32(json);
  return `${BYTES[sum >>> 24]}${BYTES[(sum >>> 16) & 255]}${BYTES[(sum >>> 8) & 255]}${BYTES[sum & 255]} `;
}

export function formatCheckedLine(json: string): string {
  return `${formatPrefix(json)}${json}\n`;
}

/** A line's JSON; undefined when the line is damaged. @param line without its newline */
export function readCheckedLine(line: Buffer): Buffer | undefined {
  const json = line.subarray(PREFIX_LENGTH);
  const isGood = json.length > 0 && line.toString('latin1', 0, PREFIX_LENGTH) === formatPrefix(json);
  return isGood ? json : undefined;
}

const NEWLINE = 10;

/** The names in a folder; none if it doesn't exist. */
export async function listIfThere(folder: string, disk = fileSystemDisk): Promise<readonly string[]> {
  try {
    return await disk.list(folder);
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

export interface LineBlock {
  /** One or more whole lines, each with its newline; or the end of the file without one. */
  readonly bytes: Buffer;
  readonly whole: boolean;
}

/** A file that arrives in pieces, as whole lines. */
export async function* readLineBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (end > 0) {
      yield { bytes: Buffer.concat([...rest, bytes.subarray(0, end)]), whole: true };
      rest = [];
    }
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
