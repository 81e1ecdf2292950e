/** Reads the decision ledgers of all teams of a data folder or a database. Changes nothing. */
import { decisionHeads, decisions } from '../decisions/records.ts';
import type { StoredLedgerRecord } from '../decisions/verify-ledger.ts';
import { CURRENT_DATA_VERSION, type RecordLoader } from '../storage/commit-log.ts';
import { fileSystemDisk } from '../storage/disk.ts';
import { readFolderRecords } from '../storage/journal/read-records.ts';
import { type Database, toDatabaseError } from '../storage/postgres/database.ts';
import type { Key } from '../storage/store.ts';

export interface StoredLedger {
  readonly team: string;
  readonly records: readonly StoredLedgerRecord[];
  readonly head: unknown;
}

export interface ReadLedgers {
  readonly ledgers: readonly StoredLedger[];
  /** Of the files, in sentences. */
  readonly damage: readonly string[];
}

/** Takes the ledgers' records alone. */
class LedgerRecords implements RecordLoader {
  readonly #records = new Map<string, { team: string; place: unknown; value: unknown; isHead: boolean }>();

  restart(): void {
    this.#records.clear();
  }

  load(collection: string, key: Key, value: unknown): void {
    const isHead = collection === decisionHeads.name;
    if (!isHead && collection !== decisions.name) return;
    const [team, place] = key;
    const name = `${collection} ${JSON.stringify(key)}`;
    if (value === undefined) this.#records.delete(name);
    else this.#records.set(name, { team, place, value, isHead });
  }

  finish(sequence: number) {
    return { sequence, collections: new Map() };
  }

  list(): readonly StoredLedger[] {
    const all = [...this.#records.values()];
    return [...new Set(all.map(({ team }) => team))].toSorted().map((team) => {
      const own = all.filter((record) => record.team === team);
      return {
        team,
        records: own.filter(({ isHead }) => !isHead),
        head: own.find(({ isHead }) => isHead)?.value,
      };
    });
  }
}

/** @returns undefined when the folder has no data. @throws StorageError, or the disk's error */
export async function readFolderLedgers(folder: string): Promise<ReadLedgers | undefined> {
  const records = new LedgerRecords();
  const place = { disk: fileSystemDisk, folder, version: CURRENT_DATA_VERSION };
  const read = await readFolderRecords(place, records);
  return read.kind === 'read' ? { ledgers: records.list(), damage: read.damage } : undefined;
}

/** Rows that are fetched at once. */
const ROWS = 1_000;

/** In one read-only transaction. @throws StorageError */
export async function readDatabaseLedgers(database: Database): Promise<ReadLedgers> {
  const records = new LedgerRecords();
  try {
    await database.begin('isolation level repeatable read read only', async (sql) => {
      const rows = sql<{ collection: string; key: string; value: string }[]>`
        select collection, key, value from records
        where collection in (${decisions.name}, ${decisionHeads.name})`;
      for await (const some of rows.cursor(ROWS))
        for (const { collection, key, value } of some)
          records.load(collection, JSON.parse(key) as Key, JSON.parse(value));
    });
  } catch (thrown) {
    throw toDatabaseError(thrown, 'read the ledger in the database');
  }
  return { ledgers: records.list(), damage: [] };
}
