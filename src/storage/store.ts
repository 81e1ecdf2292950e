/**
 * The storage port. Domain code is written once on top of it and knows no engine.
 *
 * Records are plain JSON values. Keys are tuples that begin with the Slack team's id, so that one deployment
 * can serve many workspaces; they are ordered part by part, numbers before strings, a shorter key before its extensions.
 */
import type { z } from 'zod';
import type { Instant } from '../clock.ts';
import { GigdeskError } from '../errors.ts';
import type { TeamId } from '../ids.ts';

export type KeyPart = string | number;

/** A record's key, or the first parts of one. */
export type Key = readonly [TeamId, ...KeyPart[]];

export interface Collection<T> {
  /** Stable: it is written to disk. */
  readonly name: string;
  /** Checks what is read from disk; what code writes is checked by its type. */
  readonly schema: z.ZodType<T>;
  /** Other orders in which records can be listed; undefined leaves a record out of that index. */
  readonly indexes: Readonly<Record<string, (value: T) => Key | undefined>>;
  /** Records are long, many and rarely read: an engine may pack them, and take a tenth of a millisecond to read one. */
  readonly packed?: true;
  /** Money or Slack messages depend on every record: one that the schema refuses is not skipped like any other. */
  readonly essential?: EssentialRecords<T>;
}

export interface EssentialRecords<T> {
  /**
   * What a record counts as that the schema refuses, on the safe side; undefined where that can't be told.
   * The store does not open then.
   */
  readonly readInvalid: (onDisk: unknown) => T | undefined;
}

/** Where a listing stopped: hand it back as `after` to go on behind it, also when that record is gone by then. */
export type ListPosition = string & { readonly position: unique symbol };

export interface StoredEntry<T> {
  readonly key: Key;
  /** Deeply frozen: change a copy and `put` that. */
  readonly value: T;
  readonly position: ListPosition;
}

export interface ListOptions {
  /** One of the collection's indexes; without it, the order of keys. */
  readonly index?: string;
  /** Only keys (of the index, where one is named) that begin so. */
  readonly prefix: Key;
  /** First part(s) after the prefix, included. */
  readonly from?: readonly KeyPart[];
  /** First part(s) after the prefix, excluded. */
  readonly to?: readonly KeyPart[];
  readonly after?: ListPosition;
  /** There are no unbounded lists: at most this many entries come back. */
  readonly limit: number;
  readonly reverse?: boolean;
}

export interface ReadTransaction {
  get<T>(collection: Collection<T>, key: Key): Promise<T | undefined>;
  /** Whether a record is stored there, also one that the schema refuses: `get` and `list` leave that out. */
  has<T>(collection: Collection<T>, key: Key): Promise<boolean>;
  list<T>(collection: Collection<T>, options: ListOptions): Promise<StoredEntry<T>[]>;
  /**
   * A moment that has surely come, whatever the wall clock says: nothing is cleared out because of its age at a later one.
   * -Infinity: nothing is. Why: docs/decisions/0021-clock.md.
   */
  trustedNow(): Instant;
}

export interface Transaction extends ReadTransaction {
  put<T>(collection: Collection<T>, key: Key, value: T): Promise<void>;
  delete<T>(collection: Collection<T>, key: Key): Promise<void>;
}

/**
 * A record that the schema refuses (a newer version wrote it) stays as it is, and is read again at each start. What is put or
 * deleted in its place takes effect, and what it was is kept apart for good.
 */
export interface Store {
  /**
   * Runs `work` alone (isolated), then writes what it changed, all or nothing; durable when it resolves.
   * `work` waits for nothing but the transaction's own methods and has no effects elsewhere: an engine may run it twice.
   * When `work` throws, nothing is written and its error comes through.
   * @throws StorageError when the disk refuses; then nothing of this transaction is stored.
   */
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A consistent view for reading only. */
  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T>;
  /** Writes what is left to write and gives the folder free. Later calls are refused. */
  close(): Promise<void>;
}

/** `newer`: written by a version of which this one must not read, or change, what is stored. */
export type StorageErrorCode = 'locked' | 'damaged' | 'newer' | 'full' | 'io' | 'closed';

export class StorageError extends GigdeskError {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Every entry of a range, fetched `batch` at a time, so that no list in between is unbounded. */
export async function* scanCollection<T>(
  tx: ReadTransaction,
  collection: Collection<T>,
  options: Omit<ListOptions, 'limit' | 'after'>,
  batch = 200,
): AsyncGenerator<StoredEntry<T>> {
  let after: ListPosition | undefined;
  for (;;) {
    const entries = await tx.list(collection, { ...options, limit: batch, ...(after ? { after } : {}) });
    yield* entries;
    after = entries.at(-1)?.position;
    if (entries.length < batch) return;
  }
}
