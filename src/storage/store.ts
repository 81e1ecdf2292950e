/**
 * The storage port. Domain code is written once on top of it, for any engine.
 * A store belongs to one Slack team. Records are plain JSON values. Keys are tuples that sort part by part:
 * numbers before strings, a shorter key before its extensions; an only record has the empty key.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { Instant } from '../clock.ts';
import { asError, GigdeskError } from '../errors.ts';

export type KeyPart = string | number;

/** A record's key, or the first parts of one. */
export type Key = readonly KeyPart[];

export interface Collection<T> {
  /** Stable: the disk stores it. */
  readonly name: string;
  /** Checks what is read from disk; types check what code writes. */
  readonly schema: z.ZodType<T>;
  /** Of fields that never change, and that `essential.readInvalid` keeps. */
  readonly key: (value: T) => Key;
  /** Other orders in which records can be listed; undefined leaves a record out of that index. */
  readonly indexes: Readonly<Record<string, (value: T) => Key | undefined>>;
  /** Older records are deleted; missing: they stay until someone deletes them. */
  readonly keepFor?: KeepFor<T>;
  /** For many long, rarely read records: an engine may pack them; reading one takes a tenth of a ms. */
  readonly packed?: true;
  /** Money or Slack messages depend on every record: an invalid one is not skipped. */
  readonly essential?: {
    /** Reads an invalid record on the safe side; undefined if that's impossible: the store doesn't open. */
    readonly readInvalid: (onDisk: unknown) => T | undefined;
  };
}

/** Age is the first part of the index `byAge`, or of the key where there is no such index. */
export interface KeepFor<T> {
  readonly ms: number;
  /** What is open stays for now: each run asks again. Missing: nothing does. */
  readonly keeps?: (value: T) => boolean;
}

/** Describes one kind of record. `indexes` may be missing: none. */
export function collection<T>(
  it: Omit<Collection<T>, 'indexes'> & Partial<Pick<Collection<T>, 'indexes'>>,
): Collection<T> {
  return { indexes: {}, ...it };
}

/** Enough of a collection to tell whether it has changed. */
export type CollectionName = Pick<Collection<unknown>, 'name'>;

/** Where a listing stopped: pass it as `after` to continue, even if that record is deleted by then. */
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
  /** Only keys (of the index, if set) with this prefix. */
  readonly prefix?: Key;
  /** First part(s) after the prefix, included. */
  readonly from?: readonly KeyPart[];
  /** First part(s) after the prefix, excluded. */
  readonly to?: readonly KeyPart[];
  readonly after?: ListPosition;
  /** Lists are always bounded: at most this many entries are returned. */
  readonly limit: number;
  readonly reverse?: boolean;
}

export interface ReadTransaction {
  get<T>(collection: Collection<T>, key: Key): Promise<T | undefined>;
  /** Like `get` for each key, in the keys' order. */
  getMany<T>(collection: Collection<T>, keys: readonly Key[]): Promise<(T | undefined)[]>;
  /** Whether a record is stored there, including an invalid one: the other reads skip those. */
  has<T>(collection: Collection<T>, key: Key): Promise<boolean>;
  list<T>(collection: Collection<T>, options: ListOptions): Promise<StoredEntry<T>[]>;
  /**
   * A moment that has surely passed, whatever the wall clock says: records newer than it are never deleted
   * for their age. -Infinity: nothing is deleted. Why: docs/decisions/0007-clock.md.
   */
  trustedNow(): Instant;
}

export interface Transaction extends ReadTransaction {
  put<T>(collection: Collection<T>, value: T): Promise<void>;
  delete<T>(collection: Collection<T>, key: Key): Promise<void>;
}

/**
 * An invalid record (from a newer version) stays as it is, and each start reads it again. A `put` or `delete`
 * in its place takes effect, and a copy of the record is kept for good.
 */
export interface Store {
  /**
   * Runs `work` alone (isolated), then writes its changes, all or nothing; durable when it resolves. `work`
   * awaits only the transaction's own methods and has no other effects: an engine may run it twice. When
   * `work` throws, nothing is written and the error is rethrown.
   * @throws StorageError when the disk refuses; then nothing of this transaction is stored.
   */
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A consistent view for reading only. */
  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T>;
  /** Calls `listener` after each commit that changed one of the collections, once `read` shows the change. */
  onCommit(collections: readonly CollectionName[], listener: () => void): void;
  /** Finishes pending writes and unlocks the folder. Later calls are refused. */
  close(): Promise<void>;
}

export interface OpenedStore extends Store {
  /** What was damaged and where it was saved, in sentences. */
  readonly notices: readonly string[];
  /** Records from a newer version that this version can't read: kept as they are. */
  readonly invalidRecords: number;
}

/**
 * `newer`: a newer version wrote the data, and this one must not read or change it. `other-team`: the folder
 * has another Slack team's data. `lost`: another process owns the records, or whether the last change was
 * stored isn't known. The store is of no more use then: opening it again loads what is true.
 */
export type StorageErrorCode =
  | 'locked'
  | 'damaged'
  | 'newer'
  | 'other-team'
  | 'full'
  | 'io'
  | 'closed'
  | 'lost';

export class StorageError extends GigdeskError {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Node's code of a system error, for example ENOENT. */
export function systemErrorCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** `doing` completes the sentence "Couldn't …". */
export function toStorageError(thrown: unknown, doing: string): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const cause = asError(thrown);
  const code = systemErrorCode(thrown);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StorageError('full', `Couldn't ${doing}: the disk is full.`, { cause });
  return new StorageError('io', `Couldn't ${doing}: ${cause.message}`, { cause });
}

/** Returns the earlier result while no commit has changed one of the collections. */
export function readWhenChanged<T>(
  store: Store,
  collections: readonly CollectionName[],
  read: (tx: ReadTransaction) => Promise<T>,
): () => Promise<T> {
  let latest: { readonly result: T } | undefined;
  let commits = 0;
  store.onCommit(collections, () => {
    commits++;
    latest = undefined;
  });
  return async () => {
    if (latest) return latest.result;
    const before = commits;
    const result = await store.read(read);
    // After a change during the read, the next call reads again.
    if (commits === before) latest = { result };
    return result;
  };
}

/** Every entry of a range, fetched `batch` at a time, so that no list is unbounded. */
export async function* scanCollection<T>(
  tx: ReadTransaction,
  collection: Collection<T>,
  options: Omit<ListOptions, 'limit' | 'after'> = {},
  batch = 200,
): AsyncGenerator<StoredEntry<T>> {
  let after: ListPosition | undefined;
  for (;;) {
    const entries = await tx.list(collection, { ...options, limit: batch, after });
    yield* entries;
    after = entries.at(-1)?.position;
    if (entries.length < batch) return;
  }
}

/** All values of a range that are few enough to be held at once. */
export async function listAllValues<T>(
  tx: ReadTransaction,
  collection: Collection<T>,
  range: Pick<ListOptions, 'index' | 'prefix'> = {},
): Promise<T[]> {
  const values: T[] = [];
  for await (const { value } of scanCollection(tx, collection, range)) values.push(value);
  return values;
}

/** A page takes 1 or 2 ms; about 15 ms in rare cases, if an old project is read for each record. */
const PAGE = 100;

/**
 * Passes every record of a range to `take`, page by page, and yields to other work in between. Concurrent
 * changes may be included or not.
 * @param isEnough checked after each page, to stop early
 */
export async function scanRecordsInPages<T>(
  store: Pick<Store, 'read'>,
  collection: Collection<T>,
  range: Pick<ListOptions, 'index' | 'prefix' | 'from' | 'to' | 'reverse'>,
  take: (tx: ReadTransaction, values: readonly T[]) => Promise<void>,
  isEnough: () => boolean = () => false,
): Promise<void> {
  let after: ListPosition | undefined;
  do {
    const behind = after;
    after = await store.read(async (tx) => {
      const entries = await tx.list(collection, { ...range, limit: PAGE, after: behind });
      const values = entries.map(({ value }) => value);
      await take(tx, values);
      return entries.length < PAGE || isEnough() ? undefined : entries.at(-1)?.position;
    });
    if (after) await nextTurn();
  } while (after);
}
