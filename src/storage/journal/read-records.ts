/** Reads the records of a data folder and changes nothing, also while a process writes there. */
import { basename } from 'node:path';
import type { TeamId } from '../../ids.ts';
import type { RecordLoader } from '../commit-log.ts';
import {
  hasStoreFiles,
  listFileNumbers,
  listIfThere,
  readLineBlocks,
  splitLines,
  storeFilePath,
} from '../disk.ts';
import { type Key, systemErrorCode } from '../store.ts';
import { assertSameTeam, type DataFolder } from './data-folder.ts';
import { parseJournalTransaction } from './journal.ts';
import { replayJournal } from './recover.ts';
import { readSnapshot } from './snapshot-file.ts';
import { EMPTY_SNAPSHOT, readNewestSnapshot } from './snapshots.ts';

export interface FolderLoader extends RecordLoader {
  /** A record in a file that a newer snapshot has replaced: as it was then. Missing: these aren't read. */
  loadOlder?(file: string, collection: string, key: Key, value: unknown): void;
}

export type ReadRecordsResult =
  | {
      readonly kind: 'read';
      /** The Slack team that the files name; undefined when they hold nothing. */
      readonly team: TeamId | undefined;
      readonly damage: readonly string[];
    }
  /** The folder has no data. */
  | { readonly kind: 'nothing-there' };

/** Files that a newer snapshot has replaced, and that are kept for a while. */
interface OlderFiles {
  readonly place: DataFolder;
  readonly team: TeamId | undefined;
  /** Of the snapshot that has replaced them. */
  readonly newest: number;
  readonly loader: FolderLoader;
}

/** @returns whether all of its lines are good, and none between them is missing */
async function readOlderJournal({ place, team, loader }: OlderFiles, path: string): Promise<boolean> {
  let isGood = true;
  let last: number | undefined;
  for await (const block of readLineBlocks(place.disk.read(path)))
    for (const line of splitLines(block)) {
      const transaction = block.whole ? parseJournalTransaction(line, place) : undefined;
      if (transaction) assertSameTeam(place.folder, team, transaction.team);
      if (!transaction || (last !== undefined && transaction.sequence !== last + 1)) isGood = false;
      last = transaction?.sequence;
      for (const [collection, key, value] of transaction?.changes ?? [])
        loader.loadOlder?.(basename(path), collection as string, key as Key, value);
    }
  return isGood;
}

async function readOlderFiles(older: OlderFiles, names: readonly string[]): Promise<readonly string[]> {
  const { place, team, newest, loader } = older;
  const { folder } = place;
  const pathsOf = (kind: 'journal' | 'snapshot') =>
    listFileNumbers(kind, names)
      .filter((number) => number < newest)
      .map((number) => storeFilePath(folder, kind, number));
  const damaged: string[] = [];
  for (const path of pathsOf('journal'))
    if (!(await readOlderJournal(older, path))) damaged.push(basename(path));
  for (const path of pathsOf('snapshot')) {
    const load: RecordLoader['load'] = (...record) => loader.loadOlder?.(basename(path), ...record);
    const read = await readSnapshot(place, path, { load });
    if ('damage' in read) damaged.push(basename(path));
    else assertSameTeam(folder, team, read.team);
  }
  return damaged.map((name) => `The older file ${name} is damaged.`);
}

async function readOnce(place: DataFolder, loader: FolderLoader): Promise<ReadRecordsResult> {
  const { disk, folder } = place;
  const names = await listIfThere(folder, disk);
  if (!hasStoreFiles(names)) return { kind: 'nothing-there' };
  loader.restart();
  const newest = await readNewestSnapshot(place, loader);
  const position = newest.position ?? EMPTY_SNAPSHOT;
  const start = { ...position, team: newest.team };
  const { broken, sequence, team } = await replayJournal(place, loader, start);
  loader.finish(sequence);
  const damage = newest.damaged.map(({ name, why }) => `The snapshot ${name} is damaged (${why}).`);
  // The torn end of a line is being written, or was when a process crashed.
  if (broken?.kind === 'damaged' || broken?.wholeLines)
    damage.push(
      `The journal ${basename(storeFilePath(folder, 'journal', broken.segment))} is damaged: ` +
        `changes after ${sequence} can't be read.`,
    );
  if (loader.loadOlder)
    damage.push(...(await readOlderFiles({ place, team, newest: position.segment, loader }, names)));
  return { kind: 'read', team, damage };
}

const KEEPS_NOTHING: FolderLoader = {
  restart: () => undefined,
  load: () => undefined,
  finish: (sequence) => ({ sequence, collections: new Map() }),
};

/**
 * Passes the records to `loader`, in the state of one moment.
 * @param loader when absent, the files are only checked
 * @throws StorageError `newer`, or `damaged` when the files name two teams; the disk's error
 */
export async function readFolderRecords(
  place: DataFolder,
  loader = KEEPS_NOTHING,
): Promise<ReadRecordsResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await readOnce(place, loader);
    } catch (thrown) {
      // A new snapshot has replaced files that were listed. Hours pass between two of them.
      if (systemErrorCode(thrown) !== 'ENOENT' || tries === 5) throw thrown;
    }
  }
}
