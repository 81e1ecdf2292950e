/** Opens workspaces' records: the only workspace's in a folder, or any number in a database. */
import path from 'node:path';
import type { Clock, RandomSource } from '../clock.ts';
import type { ClockWatch } from '../clock-watch.ts';
import type { Ownership } from '../cluster/serve-cluster.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import { Proposal } from '../marketplace/schema.ts';
import type { Disk } from '../storage/disk.ts';
import { openJournalStore } from '../storage/open-journal-store.ts';
import { openPostgresStore } from '../storage/open-postgres-store.ts';
import { createDatabaseCache } from '../storage/shelves/database-cache.ts';
import { createDiskCache } from '../storage/shelves/disk-cache.ts';
import type { ItemCache } from '../storage/shelves/item-cache.ts';
import type { OpenedStore } from '../storage/store.ts';
import { allCollections } from './collections.ts';

/** The records, and our copies of the account's proposals. @throws StorageError */
export type OpenRecords = (
  team: TeamId,
  watch: ClockWatch,
) => Promise<{ readonly store: OpenedStore; readonly proposals: ItemCache<Proposal> }>;

interface RecordsPorts {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  readonly disk?: Disk;
}

interface FolderOptions {
  readonly ports: RecordsPorts;
  readonly signal: AbortSignal;
  /** Another process has taken the folder over: nothing more can be stored. */
  readonly onTakenOver: (error: Error) => void;
}

/** @param folder of the process's only workspace: another team's data is refused */
export function recordsInFolder(folder: string, { ports, signal, onTakenOver }: FolderOptions): OpenRecords {
  return async (team, watch) => {
    const store = await openJournalStore({
      folder,
      team,
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

/** In a database with its tables. */
export function recordsInDatabase(
  place: Pick<Ownership, 'database' | 'leases' | 'loadInTurn'> &
    Partial<Ownership> & { readonly mustBeInstalled?: boolean },
  ports: RecordsPorts,
): OpenRecords {
  return async (team, watch) => {
    const { database, loadInTurn } = place;
    const trustedNow = () => watch.trustedNow();
    const { store, epoch } = await loadInTurn(() =>
      openPostgresStore({ ...place, team, collections: allCollections, trustedNow, ...ports }),
    );
    return { store, proposals: createDatabaseCache({ database, team, epoch, schema: Proposal, ...ports }) };
  };
}
