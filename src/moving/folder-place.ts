/** A workspace in a data folder: read whole, or written into a new folder. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { Proposal } from '../marketplace/schema.ts';
import { CURRENT_DATA_VERSION } from '../storage/commit-log.ts';
import { type Disk, fileSystemDisk, hasStoreFiles, listIfThere } from '../storage/disk.ts';
import { openJournalLog } from '../storage/journal/journal-log.ts';
import { acquireLock } from '../storage/journal/lock.ts';
import { readFolderRecords } from '../storage/journal/read-records.ts';
import { createDiskCache } from '../storage/shelves/disk-cache.ts';
import { StorageError } from '../storage/store.ts';
import { CopiedRecords, type CopiedWorkspace, readItems, toTransactions } from './copied-workspace.ts';

const ROWS_AT_ONCE = 1_000;

/** Keeps also what a crash left half written. */
const KEEPING: Disk = { ...fileSystemDisk, remove: async () => undefined };

function openProposals(folder: string, disk = fileSystemDisk) {
  return createDiskCache({ folder: path.join(folder, 'proposals'), schema: Proposal, log: silentLog, disk });
}

/**
 * Locks the folder meanwhile. Its data stays as it is.
 * @returns undefined when the folder has no data
 * @throws StorageError `locked` while a process uses it, `damaged` when a part can't be read or names
 * another team
 */
export async function readFolder(folder: string, clock: Clock): Promise<CopiedWorkspace | undefined> {
  const disk = fileSystemDisk;
  const names = await listIfThere(folder);
  if (!hasStoreFiles(names)) return undefined;
  const lock = await acquireLock({ disk, folder, clock, log: silentLog });
  try {
    const records = new CopiedRecords();
    const read = await readFolderRecords({ disk, folder, version: CURRENT_DATA_VERSION }, records);
    if (read.kind === 'nothing-there') return undefined;
    const { team, damage } = read;
    if (damage.length > 0) throw new StorageError('damaged', damage.join('\n'));
    if (team === undefined) return undefined;
    const proposals = names.includes('proposals') ? await readItems(openProposals(folder, KEEPING)) : [];
    // Within a shelf the last item of a key counts.
    const last = new Map(proposals.map((item) => [`${item.shelf} ${item.key}`, item]));
    return { team, records: records.list(), proposals: [...last.values()] };
  } finally {
    await lock.release();
  }
}

/**
 * The folder appears when it is complete.
 * @param folder empty or missing
 * @throws StorageError when the disk refuses
 */
export async function writeFolder(
  folder: string,
  { team, records, proposals }: CopiedWorkspace,
  clock: Clock,
): Promise<void> {
  const disk = fileSystemDisk;
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await disk.makeFolder(unfinished);
  const cache = openProposals(unfinished);
  await cache.load(() => undefined);
  await cache.put(proposals.map((item) => ({ ...item, value: Proposal.parse(item.value) })));
  const place = { disk, folder: unfinished, team, clock, log: silentLog, version: CURRENT_DATA_VERSION };
  const lock = await acquireLock(place);
  const log = await openJournalLog({ ...place, lock, now: clock.now() }, new CopiedRecords());
  const all = new CopiedRecords();
  for (const { collection, key, json } of records) all.load(collection, key, JSON.parse(json));
  for (const transaction of toTransactions(records, ROWS_AT_ONCE))
    await log.append([transaction], all.finish(transaction.sequence));
  await log.close();
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  await disk.syncFolder(path.dirname(path.resolve(folder)));
}
