/** Opens workspaces' records: the only workspace's in a folder, or any number in a database. */
import path from 'node:path';
import type { Clock, RandomSource } from './clock.ts';
import type { ClockWatch } from './clock-watch.ts';
import { allCollections } from './collections.ts';
import type { TeamId } from './ids.ts';
import type { Log } from './log.ts';
import { Proposal } from './marketplace/schema.ts';
import type { Secret } from './secret.ts';
import type { Disk } from './storage/disk.ts';
import { openJournalStore } from './storage/open-journal-store.ts';
import { openPostgresStore } from './storage/open-postgres-store.ts';
import { connectDatabase } from './storage/postgres/database.ts';
import { Leases } from './storage/postgres/leases.ts';
import { migrateDatabase } from './storage/postgres/migrations.ts';
import { createDatabaseCache } from './storage/shelves/database-cache.ts';
import { createDiskCache } from './storage/shelves/disk-cache.ts';
import type { ItemCache } from './storage/shelves/item-cache.ts';
import type { OpenedStore } from './storage/store.ts';

export interface WorkspaceRecords {
  readonly store: OpenedStore;
  /** Our copies of the account's proposals. */
  readonly proposals: ItemCache<Proposal>;
}

/** @throws StorageError */
export type OpenRecords = (team: TeamId, watch: ClockWatch) => Promise<WorkspaceRecords>;

interface RecordsOptions {
  readonly ports: {
    readonly clock: Clock;
    readonly random: RandomSource;
    readonly log: Log;
    readonly disk?: Disk;
  };
  readonly signal: AbortSignal;
  /** Another process has taken the records over: nothing more can be stored. */
  readonly onTakenOver: (error: Error) => void;
}

/** @param folder of the process's only workspace */
export function recordsInFolder(folder: string, { ports, signal, onTakenOver }: RecordsOptions): OpenRecords {
  return async (_team, watch) => {
    const store = await openJournalStore({
      folder,
      collections: allCollections,
      signal,
      onTakenOver,
      trustedNow: () => watch.trustedNow(),
      ...ports,
    });
    const shelves = path.join(folder, 'proposals');
    return { store, proposals: createDiskCache({ folder: shelves, schema: Proposal, ...ports }) };
  };
}

export interface DatabaseRecords {
  readonly open: OpenRecords;
  /** Frees all leases. Close the workspaces first. */
  close(): Promise<void>;
}

/** Creates or updates the tables. @throws StorageError when the database doesn't answer, or is newer */
export async function recordsInDatabase(
  url: Secret,
  { ports, onTakenOver }: RecordsOptions,
): Promise<DatabaseRecords> {
  const database = connectDatabase({ url });
  const leases = new Leases({
    url,
    clock: ports.clock,
    onLost: () => onTakenOver(new Error('The connection to the database that held the workspace is lost')),
  });
  const close = async () => {
    await leases.close();
    await database.end({ timeout: 1 });
  };
  try {
    await migrateDatabase(database);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    close,
    async open(team, watch) {
      const { store, epoch } = await openPostgresStore({
        database,
        leases,
        team,
        collections: allCollections,
        trustedNow: () => watch.trustedNow(),
        ...ports,
      });
      const proposals = createDatabaseCache({ database, team, epoch, schema: Proposal, ...ports });
      return { store, proposals };
    },
  };
}
