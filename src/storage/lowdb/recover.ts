/** Opens what the last run left: snapshot and journal, with anything that cannot be used set aside and named. */
import { basename } from 'node:path';
import { Low } from 'lowdb';
import type { Instant } from '../../clock.ts';
import { StorageError } from '../store.ts';
import { emptyData, type StoreData } from './data.ts';
import type { Disk } from './disk.ts';
import { Journal } from './journal.ts';
import { pathOf } from './names.ts';
import type { AnyCollection } from './records.ts';
import { type Replayed, replayJournal } from './replay.ts';
import { Keeper } from './set-aside.ts';
import { SnapshotAdapter } from './snapshots.ts';

export interface Recovered {
  readonly low: Low<StoreData>;
  readonly snapshots: SnapshotAdapter;
  readonly journal: Journal;
  /** Bytes of journal on top of the snapshot. */
  readonly journalBytes: number;
  /** What a person should know, in sentences. Empty when all was in order. */
  readonly notices: readonly string[];
}

/** @throws StorageError `damaged` when there was data and none of it can be used: nothing is touched then. */
export async function recover(
  disk: Disk,
  folder: string,
  collections: readonly AnyCollection[],
  now: Instant,
): Promise<Recovered> {
  const snapshots = new SnapshotAdapter(disk, folder, collections);
  await snapshots.removeUnfinished();
  const low = new Low<StoreData>(snapshots, emptyData(collections));
  await low.read();
  const replayed = await replayJournal(disk, folder, low.data);
  low.data = { ...low.data, collections: replayed.collections, sequence: replayed.sequence };
  refuseToStartEmpty(folder, snapshots, replayed);
  const keeper = new Keeper(disk, folder, now);
  await keeper.keepDamagedSnapshots(snapshots, low.data.sequence);
  const last = await keeper.cutJournal(replayed);
  const { segment, bytes } = last ?? { segment: low.data.segment, bytes: 0 };
  const journal = await Journal.open(disk, folder, segment, bytes);
  if (!(await keeper.keepUnreadable(low.data)))
    return { low, snapshots, journal, journalBytes: replayed.bytes, notices: keeper.notices };
  // Without this they would be found, and named, at every start.
  low.data = { ...low.data, segment: await journal.rotate() };
  await low.write();
  return { low, snapshots, journal, journalBytes: 0, notices: keeper.notices };
}

/** A store that forgot everything would post and buy it all again. */
function refuseToStartEmpty(folder: string, snapshots: SnapshotAdapter, replayed: Replayed): void {
  const bad = snapshots.damaged.map(({ name, why }) => `${name} (${why})`);
  if (replayed.broken?.kind === 'damaged')
    bad.push(basename(pathOf(folder, 'journal', replayed.broken.segment)));
  if (replayed.sequence > 0 || bad.length === 0) return;
  throw new StorageError(
    'damaged',
    `No good state is left in ${folder}; damaged: ${bad.join(', ')}. Nothing was changed. Restore a backup, or move the folder away to begin anew.`,
  );
}
