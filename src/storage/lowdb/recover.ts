/** Loads the last run's snapshot and journal; sets aside and reports unusable data. */
import { basename } from 'node:path';
import { Low } from 'lowdb';
import type { Instant } from '../../clock.ts';
import type { DataVersion } from '../data-version.ts';
import { type Key, StorageError } from '../store.ts';
import { createEmptyStoreData, type StoreData } from './data.ts';
import type { Disk } from './disk.ts';
import { storeFilePath } from './file-names.ts';
import { FileQuarantine } from './file-quarantine.ts';
import { Journal } from './journal.ts';
import type { AnyCollection } from './records.ts';
import { type ReplayedJournal, replayJournal } from './replay.ts';
import { SnapshotAdapter } from './snapshots.ts';

export interface RecoveredStore {
  readonly low: Low<StoreData>;
  readonly snapshots: SnapshotAdapter;
  readonly journal: Journal;
  /** Bytes of journal on top of the snapshot. */
  readonly journalBytes: number;
  /** What an operator should know, in sentences. Empty when all is in order. */
  readonly notices: readonly string[];
  /** Invalid records by collection: how many, and why the first was refused. */
  readonly invalidRecords: readonly InvalidRecordsNotice[];
  /** The data version of the program that wrote last. */
  readonly version: DataVersion;
}

export interface InvalidRecordsNotice {
  readonly collection: string;
  readonly records: number;
  readonly problem: string;
}

export interface RecoverOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly collections: readonly AnyCollection[];
  /** The data version that this program knows. */
  readonly version: DataVersion;
  readonly now: Instant;
}

/**
 * @throws StorageError `damaged` when there was data and none of it is usable, `newer` when this version must
 * not use it. Nothing is changed then.
 */
export async function recoverStore(options: RecoverOptions): Promise<RecoveredStore> {
  const { disk, folder, collections, now } = options;
  const snapshots = new SnapshotAdapter(disk, folder, collections, options.version);
  const low = new Low<StoreData>(snapshots, createEmptyStoreData(collections));
  await low.read();
  const replayed = await replayJournal(disk, folder, low.data, options.version);
  low.data = { ...low.data, collections: replayed.collections, sequence: replayed.sequence };
  refuseToStartEmpty(folder, snapshots, replayed);
  const unfit = findUnfit(low.data);
  await snapshots.removeUnfinishedSnapshots();
  const keeper = new FileQuarantine(disk, folder, now);
  await keeper.quarantineSnapshots(snapshots, low.data.sequence);
  const last = await keeper.truncateJournal(replayed);
  const { segment, bytes } = last ?? { segment: low.data.segment, bytes: 0 };
  const journal = await Journal.open(disk, folder, segment, bytes);
  const version = replayed.version ?? snapshots.version;
  return {
    low,
    snapshots,
    journal,
    journalBytes: replayed.bytes,
    notices: keeper.notices,
    invalidRecords: unfit,
    version,
  };
}

/** @throws StorageError for an invalid record that Gigdesk can't run safely without. */
function findUnfit({ collections }: StoreData): readonly InvalidRecordsNotice[] {
  const found: InvalidRecordsNotice[] = [];
  for (const all of collections.values()) {
    const { records, problem = '', unusable } = all.measureInvalid();
    if (unusable) throw new StorageError('newer', unusableText(all.name, unusable));
    if (records > 0) found.push({ collection: all.name, records, problem });
  }
  return found;
}

function unusableText(collection: string, key: Key): string {
  return (
    `This version of Gigdesk can't read record ${JSON.stringify(key)} of ${collection}. ` +
    'Without it, money could be spent twice. If a newer version wrote it, start that version. ' +
    'Otherwise, restore a backup. Nothing was changed.'
  );
}

/** An emptied store would post and buy everything again. */
function refuseToStartEmpty(folder: string, snapshots: SnapshotAdapter, replayed: ReplayedJournal): void {
  const bad = snapshots.damaged.map(({ name, why }) => `${name} (${why})`);
  if (replayed.broken?.kind === 'damaged')
    bad.push(basename(storeFilePath(folder, 'journal', replayed.broken.segment)));
  if (replayed.sequence > 0 || bad.length === 0) return;
  throw new StorageError(
    'damaged',
    `All data in ${folder} is damaged: ${bad.join(', ')}. Nothing was changed. ` +
      'Restore a backup, or move the folder away to start from scratch.',
  );
}
