/**
 * The port between the store's two halves: records in memory (`memory/`), and a log that keeps their changes.
 * The records don't depend on files or tables; a log doesn't depend on transactions or indexes.
 */
import { type Key, StorageError } from './store.ts';

/** The last change of a record in a transaction. */
export interface RecordChange {
  readonly collection: string;
  readonly key: Key;
  /** The new value as JSON; undefined deletes the record. */
  readonly json: string | undefined;
}

export interface LoggedTransaction {
  /** Counts all transactions of the store, without gaps; the first has number 1. */
  readonly sequence: number;
  /** In any order; each record at most once. */
  readonly changes: readonly RecordChange[];
}

/** All records, as of one transaction. They never change: a log may read them while others commit. */
export interface CommittedRecords {
  /** The number of the last transaction. */
  readonly sequence: number;
  /** By name. */
  readonly collections: ReadonlyMap<string, CommittedCollection>;
}

export interface CommittedCollection {
  readonly size: number;
  /** All records with their values as JSON, also those that this version can't read. */
  entries(): Iterable<readonly [key: Key, json: string]>;
}

/** Takes the stored records while a log opens. */
export interface RecordLoader {
  /** Discards what was loaded so far, for example because its file turned out to be damaged. */
  restart(): void;
  /** @param value parsed JSON, which belongs to the loader from now on; undefined deletes the record. */
  load(collection: string, key: Key, value: unknown): void;
  /**
   * All records are loaded, up to transaction `sequence` (0: nothing is stored). Call it before changing
   * anything on disk.
   * @throws StorageError `newer` when the program can't run safely on these records.
   */
  finish(sequence: number): CommittedRecords;
}

/** A log whose records are loaded. One process uses it at a time: opening it makes sure of that. */
export interface CommitLog {
  /** What was damaged and where it was saved, in sentences. */
  readonly notices: readonly string[];
  /**
   * Stores the transactions in their order, all or none; durable when it resolves. Called again only after it
   * settled. After an error the next batch begins with the same number again.
   * @param after all records with the batch. A log that grows may rewrite itself from them in the background;
   * if that fails, nothing is lost and nothing is thrown.
   * @throws when nothing of the batch is stored: a StorageError, or an error that the store turns into one;
   * StorageError `lost` when it may be stored: the log refuses all further batches then.
   */
  append(batch: readonly LoggedTransaction[], after: CommittedRecords): Promise<void>;
  /** Called once, after the last `append` settled. Problems are only logged: all records are durable. */
  close(): Promise<void>;
}

/**
 * Opens a log: passes the records to `loader`, then calls its `finish`.
 * @throws StorageError, also what `loader.finish` throws; then nothing was changed.
 */
export type OpenCommitLog = (loader: RecordLoader) => Promise<CommitLog>;

/**
 * The version of the stored data, in each snapshot's head and each journal line. Raise it when an older
 * version would spend, bid or post wrongly on the data: that version refuses to start. Other values that an
 * older version can't read need no new number: it skips such records and keeps them. Why:
 * docs/decisions/0001-storage.md.
 */
export const CURRENT_DATA_VERSION = 1;

/**
 * @param written as read from the disk or the database @param known what this version reads
 * @throws StorageError `newer` when it must not open the data.
 */
export function assertDataVersionKnown(written: unknown, known: number): void {
  if (typeof written === 'number' && written <= known) return;
  throw new StorageError(
    'newer',
    `Another version of Gigdesk wrote this data (data version ${JSON.stringify(written) ?? 'unknown'}; ` +
      `this version reads ${known}). ` +
      'Start that version, or restore a backup from before the upgrade. Nothing was changed.',
  );
}
