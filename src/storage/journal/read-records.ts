/** Reads the records of a data folder and changes nothing, also while a process writes there. */
import type { DataVersion, RecordLoader } from '../commit-log.ts';
import { type Disk, listFileNumbers } from '../disk.ts';
import { systemErrorCode } from '../store.ts';
import { replayJournal } from './recover.ts';
import { EMPTY_SNAPSHOT, SnapshotAdapter } from './snapshots.ts';

export type ReadRecordsResult =
  | { readonly kind: 'read'; readonly damage: readonly string[] }
  /** The folder has no data. */
  | { readonly kind: 'nothing-there' };

/** Hours pass between two snapshots, so even a second try is rare. */
const TRIES = 5;

function emptyIfMissing(thrown: unknown): readonly string[] {
  if (systemErrorCode(thrown) === 'ENOENT') return [];
  throw thrown;
}

async function readOnce(
  { disk, folder, version }: { readonly disk: Disk; readonly folder: string; readonly version: DataVersion },
  loader: RecordLoader,
): Promise<ReadRecordsResult> {
  const names = await disk.list(folder).catch(emptyIfMissing);
  if (listFileNumbers('journal', names).length + listFileNumbers('snapshot', names).length === 0)
    return { kind: 'nothing-there' };
  loader.restart();
  const snapshots = new SnapshotAdapter(disk, folder, loader, version);
  const snapshot = (await snapshots.read()) ?? EMPTY_SNAPSHOT;
  const { broken, sequence } = await replayJournal(disk, folder, loader, snapshot, version);
  loader.finish(sequence);
  const damage = snapshots.damaged.map(({ name, why }) => `The snapshot ${name} is damaged (${why}).`);
  // A torn end is a line that is being written.
  if (broken?.kind === 'damaged')
    damage.push(`The journal ${broken.segment} is damaged: changes after ${sequence} can't be read.`);
  return { kind: 'read', damage };
}

/**
 * Passes the records to `loader`, in the state of one moment.
 * @throws StorageError `newer`, or the disk's error
 */
export async function readFolderRecords(
  place: { readonly disk: Disk; readonly folder: string; readonly version: DataVersion },
  loader: RecordLoader,
): Promise<ReadRecordsResult> {
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
