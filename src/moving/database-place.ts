/** A workspace in a database: owned meanwhile, so that no replica writes; read whole, or written at once. */
import type { Clock } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { silentLog } from '../log.ts';
import { Proposal } from '../marketplace/schema.ts';
import { CURRENT_DATA_VERSION } from '../storage/commit-log.ts';
import { type Database, toDatabaseError } from '../storage/postgres/database.ts';
import { type Leases, WORKSPACE_LOCK } from '../storage/postgres/leases.ts';
import { openPostgresLog } from '../storage/postgres/postgres-log.ts';
import { inTransaction } from '../storage/postgres/transaction.ts';
import { createDatabaseCache } from '../storage/shelves/database-cache.ts';
import { StorageError } from '../storage/store.ts';
import { CopiedRecords, type CopiedWorkspace, readItems, type StoredRecord } from './copied-workspace.ts';

const ROWS_AT_ONCE = 1_000;

export interface MovingParts {
  readonly database: Database;
  readonly leases: Leases;
  readonly clock: Clock;
}

/** A workspace that no other process may write. */
export interface OwnedPlace {
  read(): Promise<CopiedWorkspace>;
  /** Into an empty workspace: all records or none. @throws StorageError */
  write(workspace: CopiedWorkspace): Promise<void>;
}

/** @throws StorageError `locked` while a replica serves the team, `newer` for a newer version's data */
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
        const onOwned = (number: number) => {
          epoch = number;
        };
        const options = { database, team, clock, version: CURRENT_DATA_VERSION };
        await openPostgresLog({ ...options, onOwned, onClose: () => Promise.resolve() }, records);
        return { team, records: records.list(), proposals: await readItems(cacheOf()) };
      },
      async write({ records, proposals }) {
        // First: copies without records are read again, records without their copies would count as read.
        await cacheOf().put(proposals.map((item) => ({ ...item, value: Proposal.parse(item.value) })));
        await insertRecords(database, { team, epoch }, records);
      },
    });
  } finally {
    await leases.release(WORKSPACE_LOCK, team);
  }
}

interface Target {
  readonly team: TeamId;
  readonly epoch: number;
}

async function insertRecords(
  database: Database,
  { team, epoch }: Target,
  records: readonly StoredRecord[],
): Promise<void> {
  try {
    await inTransaction(database, async (sql) => {
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
    });
  } catch (thrown) {
    throw toDatabaseError(thrown, 'store the records in the database');
  }
}
