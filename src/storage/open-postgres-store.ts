/** Opens a workspace's store in PostgreSQL: records in memory, with a row of each as their log. */
import { CURRENT_DATA_VERSION } from './commit-log.ts';
import { openRecordStore, type RecordStoreOptions } from './memory/record-store.ts';
import { type Leases, WORKSPACE_LOCK } from './postgres/leases.ts';
import { openPostgresLog, type PostgresLogOptions } from './postgres/postgres-log.ts';
import { StorageError } from './store.ts';

export interface PostgresStoreOptions
  extends RecordStoreOptions,
    Omit<PostgresLogOptions, 'version' | 'onOwned' | 'onClose'> {
  readonly leases: Pick<Leases, 'acquire' | 'holds' | 'release'>;
  readonly version?: number;
}

/**
 * Takes the workspace's lease, and frees it when the store is closed. Resolves when all records are loaded,
 * with the owner's number, which goes up with each owner: what else it writes names it, too.
 * @throws StorageError `locked` when another process owns the workspace, `newer` when this version must not
 * use its data, `io` when the database doesn't answer.
 */
export async function openPostgresStore(options: PostgresStoreOptions) {
  const { leases, team, version = CURRENT_DATA_VERSION } = options;
  if (leases.holds(WORKSPACE_LOCK, team) || !(await leases.acquire(WORKSPACE_LOCK, team)))
    throw new StorageError('locked', `The workspace ${team} already has an owner.`);
  const free = () => leases.release(WORKSPACE_LOCK, team);
  try {
    let epoch = 0;
    const onOwned = (number: number) => {
      epoch = number;
    };
    const store = await openRecordStore(
      (loader) => openPostgresLog({ ...options, version, onOwned, onClose: free }, loader),
      options,
    );
    return { store, epoch };
  } catch (thrown) {
    await free();
    throw thrown;
  }
}
