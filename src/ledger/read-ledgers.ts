/** Reads the decision ledgers of all teams of a data folder or a database. Changes nothing. */
import { auditEntries } from '../audit/audit.ts';
import { hashEntry } from '../decisions/chain.ts';
import { decisionHeads, decisions } from '../decisions/records.ts';
import {
  type AuditedLink,
  readAuditedLink,
  readDeletedUpTo,
  type StoredLedgerRecord,
} from '../decisions/verify-ledger.ts';
import { CURRENT_DATA_VERSION } from '../storage/commit-log.ts';
import { fileSystemDisk } from '../storage/disk.ts';
import { type FolderLoader, readFolderRecords } from '../storage/journal/read-records.ts';
import { type Database, toDatabaseError } from '../storage/postgres/database.ts';
import type { Key } from '../storage/store.ts';

export interface StoredLedger {
  readonly team: string;
  readonly records: readonly StoredLedgerRecord[];
  readonly head: unknown;
  /** What the audit log says of it. */
  readonly audited: readonly AuditedLink[];
}

export interface ReadLedgers {
  readonly ledgers: readonly StoredLedger[];
  /** Of the files, in sentences. */
  readonly damage: readonly string[];
}

interface LedgerRecord {
  readonly place: unknown;
  readonly value: unknown;
  readonly isHead: boolean;
}

interface OlderEntry {
  readonly name: string;
  readonly place: unknown;
  readonly file: string;
  readonly hash: string;
}

/** Of the content as it is, whatever hash the entry names. */
const hashOf = (value: unknown) => hashEntry(typeof value === 'object' && value !== null ? value : { value });
const nameOf = (collection: string, key: Key) => `${collection} ${JSON.stringify(key)}`;

const MOST_DIFFERENCES = 20;

/** Takes one team's records of the ledger alone, and the audit log's links to them. */
class LedgerRecords implements FolderLoader {
  readonly #records = new Map<string, LedgerRecord>();
  readonly #audited = new Map<string, AuditedLink>();
  #older: OlderEntry[] = [];

  restart(): void {
    this.#records.clear();
    this.#audited.clear();
    this.#older = [];
  }

  loadOlder(file: string, collection: string, key: Key, value: unknown): void {
    if (collection !== decisions.name || value === undefined) return;
    const [place] = key;
    this.#older.push({ name: nameOf(collection, key), place, file, hash: hashOf(value) });
  }

  load(collection: string, key: Key, value: unknown): void {
    const [place] = key;
    const name = nameOf(collection, key);
    if (collection === auditEntries.name) {
      const link = readAuditedLink(value);
      if (link) this.#audited.set(name, link);
      else this.#audited.delete(name);
    }
    const isHead = collection === decisionHeads.name;
    if (!isHead && collection !== decisions.name) return;
    if (value === undefined) this.#records.delete(name);
    else this.#records.set(name, { place, value, isHead });
  }

  finish(sequence: number) {
    return { sequence, collections: new Map() };
  }

  get #head(): unknown {
    return [...this.#records.values()].find(({ isHead }) => isHead)?.value;
  }

  /** Entries that aren't what older files say, in sentences: entries never change. */
  listDifferences(team: string): readonly string[] {
    const deletedUpTo = readDeletedUpTo(this.#head);
    const different = this.#older.filter(({ name, place, hash }) => {
      const now = this.#records.get(name);
      return now ? hashOf(now.value) !== hash : Number(place) > deletedUpTo;
    });
    const texts = different.map(({ place, file }) => `${team}: entry ${Number(place)} in ${file}`);
    return [...new Set(texts)]
      .slice(0, MOST_DIFFERENCES)
      .map((text) => `${text} is missing in the ledger, or differs there.`);
  }

  /** None when nothing was ever decided. */
  list(team: string): readonly StoredLedger[] {
    if (this.#records.size === 0 && this.#audited.size === 0) return [];
    const records = [...this.#records.values()].filter(({ isHead }) => !isHead);
    return [{ team, records, head: this.#head, audited: [...this.#audited.values()] }];
  }
}

/** @returns undefined when the folder has no data. @throws StorageError, or the disk's error */
export async function readFolderLedgers(folder: string): Promise<ReadLedgers | undefined> {
  const records = new LedgerRecords();
  const place = { disk: fileSystemDisk, folder, version: CURRENT_DATA_VERSION };
  const read = await readFolderRecords(place, records);
  if (read.kind !== 'read') return undefined;
  const { team, damage } = read;
  if (team === undefined) return { ledgers: [], damage };
  return { ledgers: records.list(team), damage: [...damage, ...records.listDifferences(team)] };
}

const ROWS = 1_000;

/** In one read-only transaction. @throws StorageError */
export async function readDatabaseLedgers(database: Database): Promise<ReadLedgers> {
  const teams = new Map<string, LedgerRecords>();
  try {
    await database.begin('isolation level repeatable read read only', async (sql) => {
      const rows = sql<{ team: string; collection: string; key: string; value: string }[]>`
        select team, collection, key, value from records
        where collection in (${decisions.name}, ${decisionHeads.name}, ${auditEntries.name})
        order by team`;
      for await (const some of rows.cursor(ROWS))
        for (const { team, collection, key, value } of some) {
          const records = teams.get(team) ?? new LedgerRecords();
          teams.set(team, records);
          records.load(collection, JSON.parse(key) as Key, JSON.parse(value));
        }
    });
  } catch (thrown) {
    throw toDatabaseError(thrown, 'read the ledger in the database');
  }
  return { ledgers: [...teams].flatMap(([team, records]) => records.list(team)), damage: [] };
}
