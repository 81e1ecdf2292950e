/** lowdb's adapter: loads the newest good snapshot, writes the next one, and keeps the one before it. */
import { basename, join } from 'node:path';
import type { Adapter } from 'lowdb';
import type { TeamId } from '../../ids.ts';
import type { RecordLoader } from '../commit-log.ts';
import { listFileNumbers, removeFileIfExists, storeFilePath, UNFINISHED_SUFFIX } from '../disk.ts';
import type { DataFolder, TeamFolder } from './data-folder.ts';
import { readSnapshot, type Snapshot, type SnapshotPosition, writeSnapshot } from './snapshot-file.ts';

/** What a folder without snapshots begins with. */
export const EMPTY_SNAPSHOT: Snapshot = { sequence: 0, segment: 1, collections: new Map() };

export interface NewestSnapshot {
  /** Undefined: there is no trusted snapshot. */
  readonly position: SnapshotPosition | undefined;
  /** The Slack team that it names. */
  readonly team: TeamId | undefined;
  readonly bytes: number;
  /** Newer snapshots that can't be trusted: file name and why. */
  readonly damaged: readonly { readonly name: string; readonly why: string }[];
}

/** Passes the records of the newest trusted snapshot to `loader`. @throws StorageError `newer` */
export async function readNewestSnapshot(place: DataFolder, loader: RecordLoader): Promise<NewestSnapshot> {
  const { disk, folder } = place;
  const damaged: { name: string; why: string }[] = [];
  for (const number of listFileNumbers('snapshot', await disk.list(folder)).reverse()) {
    const path = storeFilePath(folder, 'snapshot', number);
    const read = await readSnapshot(place, path, loader);
    if ('position' in read) return { ...read, damaged };
    loader.restart();
    damaged.push({ name: basename(path), why: read.damage });
  }
  return { position: undefined, team: undefined, bytes: 0, damaged };
}

export class SnapshotAdapter implements Adapter<Snapshot> {
  readonly #place: TeamFolder;
  readonly #loader: RecordLoader;
  /** The size of the snapshot that was read or written last. */
  bytes = 0;
  team: NewestSnapshot['team'];
  damaged: NewestSnapshot['damaged'] = [];

  constructor(place: TeamFolder, loader: RecordLoader) {
    this.#place = place;
    this.#loader = loader;
  }

  /** The newest trusted snapshot, if any; its records go to the loader. @throws StorageError `newer` */
  async read(): Promise<Snapshot | null> {
    const { position, bytes, team, damaged } = await readNewestSnapshot(this.#place, this.#loader);
    this.bytes = bytes;
    this.team = team;
    this.damaged = damaged;
    return position ? { ...EMPTY_SNAPSHOT, ...position } : null;
  }

  async write(snapshot: Snapshot): Promise<void> {
    const path = storeFilePath(this.#place.folder, 'snapshot', snapshot.segment);
    this.bytes = await writeSnapshot(this.#place, path, snapshot);
    await this.#removeOld();
  }

  /** Keeps two snapshots and the journal since the older one, so that one damaged snapshot loses nothing. */
  async #removeOld(): Promise<void> {
    const { disk, folder } = this.#place;
    const names = await disk.list(folder);
    const keepFrom = listFileNumbers('snapshot', names).at(-2);
    // Before the first snapshot the store was empty: keep the journal since then.
    if (keepFrom === undefined) return;
    const older = (kind: 'snapshot' | 'journal') =>
      listFileNumbers(kind, names)
        .filter((number) => number < keepFrom)
        .map((number) => storeFilePath(folder, kind, number));
    // Snapshots first: a snapshot without its journal would load as a state with a gap.
    for (const path of [...older('snapshot'), ...older('journal')]) await disk.remove(path);
  }

  /** Removes snapshots that a crash left half written. */
  async removeUnfinishedSnapshots(): Promise<void> {
    const { disk, folder } = this.#place;
    for (const name of await disk.list(folder)) {
      if (name.endsWith(UNFINISHED_SUFFIX)) await removeFileIfExists(disk, join(folder, name));
    }
  }
}
