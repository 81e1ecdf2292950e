/** Reads the records of a data folder and changes nothing, also while a process writes there. */
import { basename } from 'node:path';
import type { RecordLoader } from '../commit-log.ts';
import {
  type Disk,
  hasStoreFiles,
  listFileNumbers,
  listIfThere,
  readLineBlocks,
  splitLines,
  storeFilePath,
} from '../disk.ts';
import { type Key, systemErrorCode } from '../store.ts';
import { parseJournalTransaction } from './journal.ts';
import { replayJournal } from './recover.ts';
import { readSnapshot } from './snapshot-file.ts';
import { EMPTY_SNAPSHOT, SnapshotAdapter } from './snapshots.ts';

export interface FolderLoader extends RecordLoader {
  /** A record in a file that a newer snapshot has replaced: as it was then. Missing: these aren't read. */
  loadOlder?(file: string, collection: string, key: Key, value: unknown): void;
}

interface DataFolder {
  readonly disk: Disk;
  readonly folder: string;
  /** The data version that this program reads. */
  readonly version: number;
}

export type ReadRecordsResult =
  | { readonly kind: 'read'; readonly damage: readonly string[] }
  /** The folder has no data. */
  | { readonly kind: 'nothing-there' };

/** Hours pass between two snapshots, so even a second try is rare. */
const TRIES = 5;

/** @returns whether all of its lines are good, and none between them is missing */
async function readOlderJournal(
  { disk, version }: DataFolder,
  path: string,
  loader: FolderLoader,
): Promise<boolean> {
  let isGood = true;
  let last: number | undefined;
  for await (const block of readLineBlocks(disk.read(path)))
    for (const line of splitLines(block)) {
      const transaction = block.whole ? parseJournalTransaction(line, version) : undefined;
      if (!transaction || (last !== undefined && transaction.sequence !== last + 1)) isGood = false;
      last = transaction?.sequence;
      for (const [collection, key, value] of transaction?.changes ?? [])
        loader.loadOlder?.(basename(path), collection as string, key as Key, value);
    }
  return isGood;
}

/** Files that were read before the newest snapshot, while they are kept. @returns what is damaged */
async function readOlderFiles(
  place: DataFolder,
  names: readonly string[],
  newest: number,
  loader: FolderLoader,
): Promise<readonly string[]> {
  const { disk, folder, version } = place;
  const pathsOf = (kind: 'journal' | 'snapshot') =>
    listFileNumbers(kind, names)
      .filter((number) => number < newest)
      .map((number) => storeFilePath(folder, kind, number));
  const damaged: string[] = [];
  for (const path of pathsOf('journal'))
    if (!(await readOlderJournal(place, path, loader))) damaged.push(basename(path));
  for (const path of pathsOf('snapshot')) {
    const load: RecordLoader['load'] = (...record) => loader.loadOlder?.(basename(path), ...record);
    const read = await readSnapshot(disk, path, { load }, version);
    if ('damage' in read) damaged.push(basename(path));
  }
  return damaged.map((name) => `The older file ${name} is damaged.`);
}

async function readOnce(place: DataFolder, loader: FolderLoader): Promise<ReadRecordsResult> {
  const { disk, folder, version } = place;
  const names = await listIfThere(folder, disk);
  if (!hasStoreFiles(names)) return { kind: 'nothing-there' };
  loader.restart();
  const snapshots = new SnapshotAdapter(disk, folder, loader, version);
  const snapshot = (await snapshots.read()) ?? EMPTY_SNAPSHOT;
  const { broken, sequence } = await replayJournal(disk, folder, loader, snapshot, version);
  loader.finish(sequence);
  const damage = snapshots.damaged.map(({ name, why }) => `The snapshot ${name} is damaged (${why}).`);
  // The torn end of a line is being written, or was when a process crashed.
  if (broken?.kind === 'damaged' || broken?.wholeLines)
    damage.push(`The journal ${broken.segment} is damaged: changes after ${sequence} can't be read.`);
  if (loader.loadOlder) damage.push(...(await readOlderFiles(place, names, snapshot.segment, loader)));
  return { kind: 'read', damage };
}

/**
 * Passes the records to `loader`, in the state of one moment.
 * @throws StorageError `newer`, or the disk's error
 */
export async function readFolderRecords(place: DataFolder, loader: FolderLoader): Promise<ReadRecordsResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await readOnce(place, loader);
    } catch (thrown) {
      // A new snapshot has replaced files that were listed.
      const isReplaced = systemErrorCode(thrown) === 'ENOENT' && tries < TRIES;
      if (!isReplaced) throw thrown;
    }
  }
}
