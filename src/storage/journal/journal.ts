/**
 * The journal: a checked line for each transaction, in numbered segments. Appends durable lines, starts new
 * segments, and cuts off what a failed write left.
 */
import { z } from 'zod';
import { TeamId } from '../../ids.ts';
import { assertDataVersionKnown, type LoggedTransaction } from '../commit-log.ts';
import { type Disk, type DiskFile, formatCheckedLine, readCheckedLine, storeFilePath } from '../disk.ts';
import { toStorageError } from '../store.ts';
import type { DataFolder, TeamFolder } from './data-folder.ts';

const JournalTransaction = z.object({
  sequence: z.number().int().positive(),
  /** The last transaction known to be durable: those in between were not yet acknowledged. */
  durable: z.number().int().nonnegative(),
  team: TeamId,
  /** For each a collection, a key, and the new value; without a value the record is deleted. */
  changes: z.array(z.array(z.unknown()).min(2).max(3)),
});
export type JournalTransaction = z.infer<typeof JournalTransaction>;

export function formatJournalTransaction(
  { sequence, changes }: LoggedTransaction,
  durable: number,
  { version, team }: TeamFolder,
): string {
  const texts = changes.map(({ collection, key, json }) => {
    const where = `${JSON.stringify(collection)},${JSON.stringify(key)}`;
    return json === undefined ? `[${where}]` : `[${where},${json}]`;
  });
  const whose = `"data":${version},"team":${JSON.stringify(team)}`;
  const head = `{"sequence":${sequence},"durable":${durable},${whose}`;
  return formatCheckedLine(`${head},"changes":[${texts.join(',')}]}`);
}

/** Undefined when the line is damaged. @throws StorageError `newer` for another version's line */
export function parseJournalTransaction(line: Buffer, { version }: DataFolder) {
  const json = readCheckedLine(line);
  if (!json) return undefined;
  const transaction: { readonly data?: unknown } = JSON.parse(json.toString());
  assertDataVersionKnown(transaction.data, version);
  return JournalTransaction.safeParse(transaction).data;
}

export class Journal {
  readonly #disk: Disk;
  readonly #folder: string;
  #file: DiskFile;
  #segment: number;
  /** How many bytes of the segment are known to be durable. */
  #durableBytes: number;
  /** After a failed write, what follows `#durableBytes` is unknown: later lines go to a new file. */
  #state: 'good' | 'uncut' | 'cut' = 'good';

  private constructor(disk: Disk, folder: string, file: DiskFile, segment: number, durableBytes: number) {
    this.#disk = disk;
    this.#folder = folder;
    this.#file = file;
    this.#segment = segment;
    this.#durableBytes = durableBytes;
  }

  /** Continues after the first `durableBytes` of a segment; a new segment has none. */
  static async open(disk: Disk, folder: string, segment: number, durableBytes: number): Promise<Journal> {
    const file = await openSegment(disk, folder, segment);
    return new Journal(disk, folder, file, segment, durableBytes);
  }

  /**
   * Durable when it resolves.
   * @throws disk errors; `bytes` are not read back later, with one exception: the disk also refuses to
   * shorten the file, and the process crashes before a retry succeeds.
   */
  async append(bytes: Uint8Array): Promise<void> {
    await this.#heal();
    try {
      await this.#file.write(bytes);
      await this.#file.sync();
      this.#durableBytes += bytes.length;
    } catch (thrown) {
      this.#state = 'uncut';
      // Before the caller sees the error: refused lines must not come back after a crash.
      await this.#cut().catch(() => undefined);
      throw thrown;
    }
  }

  /** Later lines go to a new segment. Resolves to its number. On an error the old segment stays in use. */
  async rotate(): Promise<number> {
    try {
      await this.#heal();
      await this.#openNext();
      return this.#segment;
    } catch (thrown) {
      throw toStorageError(thrown, 'start a new journal file');
    }
  }

  async close(): Promise<void> {
    try {
      if (this.#state === 'uncut') await this.#cut();
    } finally {
      await this.#file.close();
    }
  }

  async #heal(): Promise<void> {
    if (this.#state === 'uncut') await this.#cut();
    if (this.#state === 'cut') await this.#openNext();
    this.#state = 'good';
  }

  async #cut(): Promise<void> {
    await this.#disk.truncate(storeFilePath(this.#folder, 'journal', this.#segment), this.#durableBytes);
    this.#state = 'cut';
  }

  async #openNext(): Promise<void> {
    const file = await openSegment(this.#disk, this.#folder, this.#segment + 1);
    const before = this.#file;
    this.#file = file;
    this.#segment += 1;
    this.#durableBytes = 0;
    // All of its lines that count are already durable.
    await before.close().catch(() => undefined);
  }
}

async function openSegment(disk: Disk, folder: string, segment: number): Promise<DiskFile> {
  const file = await disk.openForAppend(storeFilePath(folder, 'journal', segment));
  try {
    await disk.syncFolder(folder);
    return file;
  } catch (thrown) {
    await file.close().catch(() => undefined);
    throw thrown;
  }
}
