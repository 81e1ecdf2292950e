/**
 * A cache on disk apart from the store, for what can be read again at no cost: things with a number, on named shelves.
 *
 * Each shelf is a file of JSON lines that is only appended to, so that a change costs what it changes. It is rewritten when
 * more than half of it is outdated. What cannot be read is counted and left out; whoever keeps things here must be able to
 * fetch them again. The store's lock on the folder above covers it: one process writes.
 */
import { join } from 'node:path';
import type { z } from 'zod';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type Disk, fileSystemDisk } from '../lowdb/disk.ts';
import { UNFINISHED_SUFFIX } from '../lowdb/file-names.ts';
import { toStorageError } from '../lowdb/storage-errors.ts';
import { CacheFile, removeCacheFileIfExists } from './cache-file.ts';
import type { CachedItem } from './cache-line.ts';

export type { CachedItem as Shelved } from './cache-line.ts';

export interface DiskCacheOptions<T> {
  /** Made when it is not there. */
  readonly folder: string;
  /** Of a value. */
  readonly schema: z.ZodType<T>;
  readonly log: Log;
  readonly disk?: Disk;
}

/** A thing and the shelf it is kept on; a shelf's name holds small letters, digits and hyphens. */
export type DiskCacheItem<T> = CachedItem<T> & { readonly shelf: string };

export interface DiskCache<T> {
  /**
   * Hands over all that is kept, shelf by shelf and in small pieces; of a key that comes again on the same shelf the last
   * value counts. To be called once before anything else, and again when it failed.
   * @returns how many lines could not be read.
   * @throws StorageError `io` when the disk fails.
   */
  load(take: (shelf: string, items: readonly CachedItem<T>[]) => void): Promise<number>;
  /**
   * Durable when it resolves.
   * @throws StorageError `full` or `io`: then some or all of it is not kept, and a later start may find either.
   */
  put(items: readonly DiskCacheItem<T>[]): Promise<void>;
  /** Takes whole shelves away. @throws StorageError */
  dropFiles(shelves: readonly string[]): Promise<void>;
  /** Resolves when nothing is on its way to the disk. */
  waitUntilIdle(): Promise<void>;
}

const NAME = /^[a-z0-9-]+$/;
const FILE = /^([a-z0-9-]+)\.jsonl$/;

export function createDiskCache<T>(options: DiskCacheOptions<T>): DiskCache<T> {
  const { folder, schema, log, disk = fileSystemDisk } = options;
  const shelves = new Map<string, CacheFile<T>>();
  /** One step after another. */
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<R>(doing: string, work: () => Promise<R>): Promise<R> {
    const done = turn.then(work).catch((thrown: unknown) => {
      throw toStorageError(thrown, doing);
    });
    turn = done.catch(() => undefined);
    return done;
  }

  function shelfOf(name: string): CacheFile<T> {
    if (!NAME.test(name)) throw new RangeError(`Not a valid shelf name: ${name}`);
    const shelf = shelves.get(name) ?? new CacheFile(disk, join(folder, `${name}.jsonl`), schema);
    shelves.set(name, shelf);
    return shelf;
  }

  async function load(take: (shelf: string, items: readonly CachedItem<T>[]) => void): Promise<number> {
    await disk.makeFolder(folder);
    let damaged = 0;
    for (const file of (await disk.list(folder)).sort()) {
      if (file.endsWith(UNFINISHED_SUFFIX)) await removeCacheFileIfExists(disk, join(folder, file));
      const name = FILE.exec(file)?.[1];
      if (name === undefined) continue;
      const shelf = shelfOf(name);
      for await (const items of shelf.load()) take(name, items);
      if (shelf.damagedLines > 0)
        log.warn('Skipped unreadable lines in a proposal file', { file, lines: shelf.damagedLines });
      damaged += shelf.damagedLines;
    }
    return damaged;
  }

  async function tidy(name: string, shelf: CacheFile<T>): Promise<void> {
    if (!shelf.isMostlyOutdated) return;
    try {
      await shelf.rewrite();
    } catch (thrown) {
      log.warn("Couldn't rewrite a proposal file", { shelf: name, error: asError(thrown).message });
    }
  }

  async function put(items: readonly DiskCacheItem<T>[]): Promise<void> {
    const byShelf = new Map<string, DiskCacheItem<T>[]>();
    for (const item of items) {
      const placed = byShelf.get(item.shelf);
      if (placed) placed.push(item);
      else byShelf.set(item.shelf, [item]);
    }
    for (const [name, placed] of byShelf) await shelfOf(name).append(placed);
  }

  return {
    load: (take) => inTurn('read the proposal files', () => load(take)),
    async put(items) {
      const names = new Set(items.map(({ shelf }) => shelf));
      await inTurn('write the proposal files', () => put(items));
      // Nobody waits for it: what was to be kept is.
      for (const name of names) void inTurn('rewrite a proposal file', () => tidy(name, shelfOf(name)));
    },
    dropFiles: (names) =>
      inTurn('delete proposal files', async () => {
        for (const name of names) {
          await shelfOf(name).remove();
          shelves.delete(name);
        }
        await disk.syncFolder(folder);
      }),
    async waitUntilIdle() {
      await turn;
    },
  };
}
