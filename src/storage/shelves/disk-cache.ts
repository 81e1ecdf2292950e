/**
 * A cache on disk outside the store, for numbered items that can be fetched again at no cost.
 * Each cache file has JSON lines and is only appended to, so that a change costs only its own size. It is
 * rewritten when more than half of it is outdated. Unreadable lines are counted and skipped; callers must be
 * able to fetch them again. The store's lock on the parent folder covers it: only one process writes.
 */
import { join } from 'node:path';
import type { z } from 'zod';
import { groupBy } from '../../base/group-by.ts';
import { Turns } from '../../base/turns.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type Disk, fileSystemDisk, removeFileIfExists, UNFINISHED_SUFFIX } from '../disk.ts';
import { toStorageError } from '../store.ts';
import { CacheFile } from './cache-file.ts';
import { assertShelfName, type CachedItem, type ItemCache, type ShelvedItem } from './item-cache.ts';

export interface DiskCacheOptions<T> {
  /** Created if missing. */
  readonly folder: string;
  readonly schema: z.ZodType<T>;
  readonly log: Log;
  readonly disk?: Disk;
}

const FILE = /^([a-z0-9-]+)\.jsonl$/;

export function createDiskCache<T>(options: DiskCacheOptions<T>): ItemCache<T> {
  const { folder, schema, log, disk = fileSystemDisk } = options;
  const shelves = new Map<string, CacheFile<T>>();
  /** Runs one step after another. */
  const turns = new Turns(1);
  const inTurn = <R>(doing: string, work: () => Promise<R>): Promise<R> =>
    turns.take(work).catch((thrown) => Promise.reject(toStorageError(thrown, doing)));

  function shelfOf(name: string): CacheFile<T> {
    assertShelfName(name);
    const shelf = shelves.get(name) ?? new CacheFile(disk, join(folder, `${name}.jsonl`), schema);
    shelves.set(name, shelf);
    return shelf;
  }

  async function load(take: (shelf: string, items: readonly CachedItem<T>[]) => void): Promise<number> {
    await disk.makeFolder(folder);
    let damaged = 0;
    for (const file of (await disk.list(folder)).sort()) {
      if (file.endsWith(UNFINISHED_SUFFIX)) await removeFileIfExists(disk, join(folder, file));
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

  async function put(items: readonly ShelvedItem<T>[]): Promise<void> {
    for (const [name, placed] of groupBy(items, ({ shelf }) => shelf)) await shelfOf(name).append(placed);
  }

  return {
    load: (take) => inTurn('read the proposal files', () => load(take)),
    async put(items) {
      const names = new Set(items.map(({ shelf }) => shelf));
      await inTurn('write the proposal files', () => put(items));
      // Not awaited: the items are already stored.
      for (const name of names) void inTurn('rewrite a proposal file', () => tidy(name, shelfOf(name)));
    },
    dropShelves: (names) =>
      inTurn('delete proposal files', async () => {
        for (const name of names) {
          await shelfOf(name).remove();
          shelves.delete(name);
        }
        await disk.syncFolder(folder);
      }),
    waitUntilIdle: () => turns.take(() => Promise.resolve()),
  };
}
