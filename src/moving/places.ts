/** A workspace's two places, read whole or written at once: a database, or a data folder. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { silentLog } from '../log.ts';
import { Proposal } from '../marketplace/schema.ts';
import { CURRENT_DATA_VERSION } from '../storage/commit-log.ts';
import { type Disk, fileSystemDisk, hasStoreFiles, listIfThere } from '../storage/disk.ts';
import { openJournalLog } from '../storage/journal/journal-log.ts';
import { acquireLock } from '../storage/journal/lock.ts';
import { readFolderRecords } from '../storage/journal/read-records.ts';
import { type Database, failTo, inTransaction, type Transaction } from '../storage/postgres/database.ts';
import { type Leases, WORKSPACE_LOCK } from '../storage/postgres/leases.ts';
import { openPostgresLog } from '../storage/postgres/postgres-log.ts';
import { createDatabaseCache } from '../storage/shelves/database-cache.ts';
import { createDiskCache } from '../storage/shelves/disk-cache.ts';
import { StorageError } from '../storage/store.ts';
import {
  CopiedRecords,
  type CopiedWorkspace,
  readItems,
  type StoredRecord,
  toTransactions,
} from './copied-workspace.ts';

const ROWS_AT_ONCE = 1_000;

export interface MovingParts {
  readonly database: Database;
  readonly leases: Leases;
  readonly clock: Clock;
}

/** A workspace that no other process may write. */
interface OwnedPlace {
  read(): Promise<CopiedWorkspace>;
  /** Into an empty workspace: all records or none. @throws StorageError */
  write(workspace: CopiedWorkspace): Promise<void>;
}

/**
 * Owns it meanwhile.
 * @throws StorageError `locked` while a replica serves the team, `newer` for a newer version's data
 */
export async function withDatabasePlace<T>(
  { database, leases, clock }: MovingParts,
  team: TeamId,
  work: (place: OwnedPlace) => Promise<T>,
): Promise<T> {
  if (!(await leases.acquire(WORKSPACE_LOCK, team)))
    throw new StorageError('locked', `A replica serves ${team}. Stop all replicas first.`);
  try {
    let epoch = 0;
    const cacheOf = () => createDatabaseCache({ database, team, epoch, schema: Proposal, log: silentLog });
    return await work({
      async read() {
        const records = new CopiedRecords();
        const options = { database, team, clock, version: CURRENT_DATA_VERSION };
        const onOwned = (number: number) => {
          epoch = number;
        };
        await openPostgresLog({ ...options, onOwned, onClose: () => Promise.resolve() }, records);
        return { team, records: records.list(), proposals: await readItems(cacheOf()) };
      },
      async write({ records, proposals }) {
        // First: copies without records are read again, records without their copies would count as read.
        await cacheOf().put(proposals.map((item) => ({ ...item, value: Proposal.parse(item.value) })));
        await insertRecords(database, team, epoch, records);
      },
    });
  } finally {
    await leases.release(WORKSPACE_LOCK, team);
  }
}

async function insertRecords(
  database: Database,
  team: TeamId,
  epoch: number,
  records: readonly StoredRecord[],
): Promise<void> {
  const insert = async (sql: Transaction) => {
    await sql`set local statement_timeout = 0`;
    const owned = await sql`
      update workspaces set sequence = sequence + 1, version = ${CURRENT_DATA_VERSION}
      where team = ${team} and epoch = ${epoch}`;
    if (owned.count === 0) throw new StorageError('lost', `${team} got another owner. Nothing was stored.`);
    for (let from = 0; from < records.length; from += ROWS_AT_ONCE) {
      const some = records.slice(from, from + ROWS_AT_ONCE);
      await sql`
        insert into records (team, collection, key, value)
        select ${team}, put.* from unnest(
          ${some.map(({ collection }) => collection)}::text[],
          ${some.map(({ key }) => JSON.stringify(key))}::text[],
          ${some.map(({ json }) => json)}::text[]
        ) as put (collection, key, value)`;
    }
  };
  await inTransaction(database, insert).catch(failTo('store the records in the database'));
}

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

/** The folder, empty or missing before, appears when it is complete. @throws StorageError */
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
