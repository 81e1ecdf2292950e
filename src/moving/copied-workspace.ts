/** All that a workspace has stored, in memory, wherever it was read from. */
import { createHash } from 'node:crypto';
import type { TeamId } from '../ids.ts';
import type {
  CommittedCollection,
  CommittedRecords,
  LoggedTransaction,
  RecordLoader,
} from '../storage/commit-log.ts';
import type { ItemCache, ShelvedItem } from '../storage/shelves/item-cache.ts';
import type { Key } from '../storage/store.ts';

export interface StoredRecord {
  readonly collection: string;
  readonly key: Key;
  readonly json: string;
}

/** Takes records from a log. It doesn't parse them: what this version can't read moves, too. */
export class CopiedRecords implements RecordLoader {
  readonly #collections = new Map<string, Map<string, StoredRecord>>();

  restart(): void {
    this.#collections.clear();
  }

  load(collection: string, key: Key, value: unknown): void {
    const records = this.#collections.get(collection) ?? new Map<string, StoredRecord>();
    this.#collections.set(collection, records);
    const name = JSON.stringify(key);
    if (value === undefined) records.delete(name);
    else records.set(name, { collection, key, json: JSON.stringify(value) });
  }

  finish(sequence: number): CommittedRecords {
    const collections = new Map<string, CommittedCollection>();
    for (const [name, records] of this.#collections)
      collections.set(name, {
        size: records.size,
        *entries() {
          for (const { key, json } of records.values()) yield [key, json] as const;
        },
      });
    return { sequence, collections };
  }

  list(): StoredRecord[] {
    return [...this.#collections.values()].flatMap((records) => [...records.values()]);
  }
}

/** A copy of everything: records, and our copies of proposals. */
export interface CopiedWorkspace {
  readonly team: TeamId;
  readonly records: readonly StoredRecord[];
  readonly proposals: readonly ShelvedItem<unknown>[];
}

/** All that a cache holds. @throws StorageError */
export async function readItems(cache: Pick<ItemCache<unknown>, 'load'>): Promise<ShelvedItem<unknown>[]> {
  const all: ShelvedItem<unknown>[] = [];
  await cache.load((shelf, items) => all.push(...items.map((item) => ({ shelf, ...item }))));
  return all;
}

/** What two places have in common if they hold the same of the same team, in any order. */
export interface WorkspaceSummary {
  /** How many there are of each kind, by name. */
  readonly counts: ReadonlyMap<string, number>;
  /** SHA-256, in hexadecimal. */
  readonly checksum: string;
}

export function summarizeWorkspace({ team, records, proposals }: CopiedWorkspace): WorkspaceSummary {
  const counts = new Map<string, number>();
  for (const { collection } of records) counts.set(collection, (counts.get(collection) ?? 0) + 1);
  const named = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = [
    `team ${team}`,
    ...records.map(({ collection, key, json }) => `${collection} ${JSON.stringify(key)} ${json}`),
    ...proposals.map(({ shelf, key, at, value }) => `${shelf} ${key} ${at} ${JSON.stringify(value)}`),
  ].sort();
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return {
    counts: new Map(proposals.length > 0 ? [...named, ['copies of proposals', proposals.length]] : named),
    checksum: hash.digest('hex'),
  };
}

/** Splits records into transactions, numbered from 1. */
export function toTransactions(records: readonly StoredRecord[], size: number): LoggedTransaction[] {
  const transactions: LoggedTransaction[] = [];
  for (let from = 0; from < records.length; from += size)
    transactions.push({ sequence: transactions.length + 1, changes: records.slice(from, from + size) });
  return transactions;
}
