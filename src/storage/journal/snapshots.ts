/** lowdb's adapter: loads the newest good snapshot, writes the next one, and keeps the one before it. */
import { basename, join } from 'node:path';
import type { Adapter } from 'lowdb';
import type { RecordLoader } from '../commit-log.ts';
import { type Disk, listFileNumbers, removeFileIfExists, storeFilePath, UNFINISHED_SUFFIX } from '../disk.ts';
import { readSnapshot, type Snapshot, writeSnapshot } from './snapshot-file.ts';

/** What a folder without snapshots begins with. */
export const EMPTY_SNAPSHOT: Snapshot = { sequence: 0, segment: 1, collections: new Map() };

export class SnapshotAdapter implements Adapter<Snapshot> {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #loader: RecordLoader;
  readonly #version: number;
  /** The size of the snapshot that was read or written last. */
  bytes = 0;
  /** Snapshots that can't be trusted: file name and why. */
  readonly damaged: { readonly name: string; readonly why: string }[] = [];

  /** @param version the data version that this program reads and writes */
  constructor(disk: Disk, folder: string, loader: RecordLoader, version: number) {
    this.#disk = disk;
    this.#folder = folder;
    this.#loader = loader;
    this.#version = version;
  }

  /**
   * The newest trusted snapshot; null if there is none. Its records go to the loader, not into the result.
   * @throws StorageError `newer`
   */
  async read(): Promise<Snapshot | null> {
    const names = await this.#disk.list(this.#folder);
    for (const number of listFileNumbers('snapshot', names).reverse()) {
      const path = storeFilePath(this.#folder, 'snapshot', number);
      const read = await readSnapshot(this.#disk, path, this.#loader, this.#version);
      if ('position' in read) {
        this.bytes = read.bytes;
        return { ...EMPTY_SNAPSHOT, ...read.position };
      }
      this.#loader.restart();
      this.damaged.push({ name: basename(path), why: read.damage });
    }
    return null;
  }

  async write(snapshot: Snapshot): Promise<void> {
    const path = storeFilePath(this.#folder, 'snapshot', snapshot.segment);
    this.bytes = await writeSnapshot(this.#disk, this.#folder, path, snapshot, this.#version);
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
