/** lowdb's adapter: reads the newest good snapshot, writes the next one, and keeps the one before it. */
import { basename, join } from 'node:path';
import type { Adapter } from 'lowdb';
import { type DataVersion, FIRST_DATA_VERSION } from '../data-version.ts';
import { createEmptyStoreData, type StoreData } from './data.ts';
import type { Disk } from './disk.ts';
import { listFileNumbers, storeFilePath, UNFINISHED_SUFFIX } from './file-names.ts';
import type { AnyCollection } from './records.ts';
import { readSnapshot } from './snapshot-read.ts';
import { writeSnapshot } from './snapshot-write.ts';
import { systemErrorCode } from './storage-errors.ts';

export class SnapshotAdapter implements Adapter<StoreData> {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #collections: readonly AnyCollection[];
  readonly #version: DataVersion;
  /** The data version of the loaded data. */
  version = FIRST_DATA_VERSION;
  /** The size of the snapshot that was read or written last. */
  bytes = 0;
  /** Snapshots that can't be trusted: file name and why. */
  readonly damaged: { readonly name: string; readonly why: string }[] = [];

  /** @param version the data version that this program reads and writes */
  constructor(disk: Disk, folder: string, collections: readonly AnyCollection[], version: DataVersion) {
    this.#version = version;
    this.#disk = disk;
    this.#folder = folder;
    this.#collections = collections;
  }

  /** The newest trusted snapshot, or an empty store if there is none. @throws StorageError `newer` */
  async read(): Promise<StoreData> {
    const names = await this.#disk.list(this.#folder);
    for (const number of listFileNumbers('snapshot', names).reverse()) {
      const path = storeFilePath(this.#folder, 'snapshot', number);
      const read = await readSnapshot(this.#disk, path, this.#collections, this.#version);
      if ('data' in read) {
        this.bytes = read.bytes;
        this.version = read.version;
        return read.data;
      }
      this.damaged.push({ name: basename(path), why: read.damage });
    }
    return createEmptyStoreData(this.#collections);
  }

  async write(data: StoreData): Promise<void> {
    const path = storeFilePath(this.#folder, 'snapshot', data.segment);
    this.bytes = await writeSnapshot(this.#disk, this.#folder, path, data, this.#version);
    await this.#removeOld();
  }

  /** Keeps two snapshots and the journal since the older one, so that one damaged snapshot loses nothing. */
  async #removeOld(): Promise<void> {
    const names = await this.#disk.list(this.#folder);
    const keepFrom = listFileNumbers('snapshot', names).at(-2);
    // Before the first snapshot the store was empty: keep the journal since then.
    if (keepFrom === undefined) return;
    const older = (kind: 'snapshot' | 'journal') =>
      listFileNumbers(kind, names)
        .filter((number) => number < keepFrom)
        .map((number) => storeFilePath(this.#folder, kind, number));
    // Snapshots first: a snapshot without its journal would load as a state with a gap.
    for (const path of [...older('snapshot'), ...older('journal')]) await this.#disk.remove(path);
  }

  /** Removes snapshots that a crash left half written. */
  async removeUnfinishedSnapshots(): Promise<void> {
    for (const name of await this.#disk.list(this.#folder)) {
      if (name.endsWith(UNFINISHED_SUFFIX)) await removeFileIfExists(this.#disk, join(this.#folder, name));
    }
  }
}

export async function removeFileIfExists(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown;
  }
}
