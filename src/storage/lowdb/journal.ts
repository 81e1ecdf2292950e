/** The journal's writing end: appends durable lines, moves on to new segments, and cuts off what a fault left behind. */
import type { Disk, DiskFile } from './disk.ts';
import { storeFilePath } from './file-names.ts';
import { toStorageError } from './storage-errors.ts';

export class Journal {
  readonly #disk: Disk;
  readonly #folder: string;
  #file: DiskFile;
  #segment: number;
  /** How many bytes of the segment are known to be durable. */
  #durableBytes: number;
  /** After a fault nothing is appended to the same file: what the disk holds of it behind `#durableBytes` is unknown. */
  #state: 'good' | 'uncut' | 'cut' = 'good';

  private constructor(disk: Disk, folder: string, file: DiskFile, segment: number, durableBytes: number) {
    this.#disk = disk;
    this.#folder = folder;
    this.#file = file;
    this.#segment = segment;
    this.#durableBytes = durableBytes;
  }

  /** Goes on behind the first `durableBytes` of a segment; a new one has none. */
  static async open(disk: Disk, folder: string, segment: number, durableBytes: number): Promise<Journal> {
    const file = await openSegment(disk, folder, segment);
    return new Journal(disk, folder, file, segment, durableBytes);
  }

  /**
   * Durable when it resolves.
   * @throws StorageError; then none of `bytes` is read back later. Only a disk that also refuses to shorten the file, and
   * a crash before it does again, can bring them back.
   */
  async append(bytes: Uint8Array): Promise<void> {
    try {
      await this.#heal();
      await this.#write(bytes);
    } catch (thrown) {
      throw toStorageError(thrown, 'write a change');
    }
  }

  /** Later lines go to a new segment. Resolves to its number. On a fault the old one stays in use. */
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

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#file.write(bytes);
      await this.#file.sync();
      this.#durableBytes += bytes.length;
    } catch (thrown) {
      this.#state = 'uncut';
      // Before anyone hears of the failure: refused lines must not come back after a crash.
      await this.#cut().catch(() => undefined);
      throw thrown;
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
    // All of it that counts is durable already.
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
