/**
 * A cache on disk outside the store, for numbered items that can be fetched again at no cost.
 * Each cache file has JSON lines and is only appended to, so that a change costs only its own size. It is
 * rewritten when more than half of it is outdated. Unreadable lines are counted and skipped; callers must be
 * able to fetch them again. The store's lock on the parent folder covers it: only one process writes.
 */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { groupBy } from '../../base/group-by.ts';
import { parseJson } from '../../base/parse-json.ts';
import { Turns } from '../../base/turns.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import {
  type Disk,
  type DiskFile,
  fileSystemDisk,
  formatCheckedLine,
  type LineBlock,
  readCheckedLine,
  readLineBlocks,
  removeFileIfExists,
  splitLines,
  UNFINISHED_SUFFIX,
  withFile,
} from '../disk.ts';
import { toStorageError } from '../store.ts';
import { assertShelfName, type CachedItem, type ItemCache, type ShelvedItem } from './item-cache.ts';

export interface DiskCacheOptions<T> {
  /** Created if missing. */
  readonly folder: string;
  readonly schema: z.ZodType<T>;
  readonly log: Log;
  readonly disk?: Disk;
}

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
      const name = /^([a-z0-9-]+)\.jsonl$/.exec(file)?.[1];
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

const CacheLine = z.tuple([z.number(), z.number(), z.unknown()]);

/** @returns undefined when the line is damaged, or its value no longer fits the schema. */
function parseCacheLine<T>(line: Buffer, schema: z.ZodType<T>): CachedItem<T> | undefined {
  const json = readCheckedLine(line);
  const entry = CacheLine.safeParse(json && parseJson(json.toString()));
  if (!entry.success) return undefined;
  const [key, at, read] = entry.data;
  const value = schema.safeParse(read);
  return value.success ? { key, at, value: value.data } : undefined;
}

/** A smaller file isn't worth a rewrite. */
const REWRITTEN_FROM_BYTES = 64 * 1024;

/** Tracks the current line of each key. */
class CacheFile<T> {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #schema: z.ZodType<T>;
  readonly #lines = new Map<number, { readonly start: number; readonly bytes: number }>();
  /** How many bytes are known to be durable. */
  #bytes = 0;
  #liveBytes = 0;
  /** Whether the file's name survives a loss of power. */
  #isNamed = false;
  /** After a failed write, what follows `#bytes` is unknown: cut it off before the next append. */
  #isUncut = false;
  /** After a failed rewrite: don't retry before the file has this size. */
  #rewriteFrom = REWRITTEN_FROM_BYTES;
  damagedLines = 0;

  constructor(disk: Disk, path: string, schema: z.ZodType<T>) {
    this.#disk = disk;
    this.#path = path;
    this.#schema = schema;
  }

  /** Reads the file once, block by block; skips unreadable lines. */
  async *load(): AsyncGenerator<CachedItem<T>[]> {
    this.#bytes = 0;
    this.#liveBytes = 0;
    this.#lines.clear();
    this.damagedLines = 0;
    for await (const block of readLineBlocks(this.#disk.read(this.#path))) {
      if (block.whole) {
        yield this.#take(block);
      } else {
        this.damagedLines += 1;
        this.#isUncut = true;
      }
    }
  }

  /** Durable when it resolves. @throws disk errors; then none of the items are stored. */
  async append(items: readonly CachedItem<T>[]): Promise<void> {
    const lines = items.map(({ key, at, value }) => ({
      key,
      bytes: Buffer.from(formatCheckedLine(JSON.stringify([key, at, value]))),
    }));
    await this.#heal();
    await this.#write(Buffer.concat(lines.map(({ bytes }) => bytes)));
    for (const { key, bytes } of lines) this.#note(key, bytes.length);
  }

  get isMostlyOutdated(): boolean {
    return this.#bytes >= this.#rewriteFrom && this.#liveBytes * 2 < this.#bytes;
  }

  /** Writes the current lines to a new file, which replaces the old one, unless it throws a disk error. */
  async rewrite(): Promise<void> {
    const unfinished = this.#path + UNFINISHED_SUFFIX;
    try {
      await this.#heal();
      const starts = new Set([...this.#lines.values()].map(({ start }) => start));
      await withFile(await this.#disk.create(unfinished), (file) => this.#copyLines(file, starts));
      await this.#disk.rename(unfinished, this.#path);
    } catch (thrown) {
      this.#rewriteFrom = this.#bytes * 2;
      await removeFileIfExists(this.#disk, unfinished).catch(() => undefined);
      throw thrown;
    }
    this.#moveTogether();
    this.#isNamed = false;
    await this.#syncName();
  }

  async remove(): Promise<void> {
    await removeFileIfExists(this.#disk, this.#path);
  }

  #take(block: LineBlock): CachedItem<T>[] {
    const found: CachedItem<T>[] = [];
    for (const line of splitLines(block)) {
      const item = parseCacheLine(line, this.#schema);
      if (item) {
        found.push(item);
        this.#note(item.key, line.length + 1);
      } else {
        this.damagedLines += 1;
        this.#bytes += line.length + 1;
      }
    }
    return found;
  }

  #note(key: number, bytes: number): void {
    const before = this.#lines.get(key);
    this.#lines.set(key, { start: this.#bytes, bytes });
    this.#liveBytes += bytes - (before?.bytes ?? 0);
    this.#bytes += bytes;
  }

  async #heal(): Promise<void> {
    if (!this.#isUncut) return;
    await this.#disk.truncate(this.#path, this.#bytes);
    this.#isUncut = false;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const file = await this.#disk.openForAppend(this.#path);
    try {
      await withFile(file, async () => {
        await file.write(bytes);
        await file.sync();
      });
      await this.#syncName();
    } catch (thrown) {
      this.#isUncut = true;
      await this.#heal().catch(() => undefined);
      throw thrown;
    }
  }

  async #syncName(): Promise<void> {
    if (this.#isNamed) return;
    await this.#disk.syncFolder(dirname(this.#path));
    this.#isNamed = true;
  }

  async #copyLines(file: DiskFile, starts: ReadonlySet<number>): Promise<void> {
    let at = 0;
    for await (const block of readLineBlocks(this.#disk.read(this.#path))) {
      const kept: Buffer[] = [];
      let start = at;
      for (const line of splitLines(block)) {
        if (starts.has(start)) kept.push(block.bytes.subarray(start - at, start - at + line.length + 1));
        start += line.length + 1;
      }
      at += block.bytes.length;
      if (kept.length > 0) await file.write(Buffer.concat(kept));
    }
    await file.sync();
  }

  /** The current lines now follow one another, in their old order. */
  #moveTogether(): void {
    const inOrder = [...this.#lines].sort(([, a], [, b]) => a.start - b.start);
    this.#bytes = 0;
    for (const [key, { bytes }] of inOrder) {
      this.#lines.set(key, { start: this.#bytes, bytes });
      this.#bytes += bytes;
    }
    this.#liveBytes = this.#bytes;
    this.#rewriteFrom = REWRITTEN_FROM_BYTES;
  }
}
