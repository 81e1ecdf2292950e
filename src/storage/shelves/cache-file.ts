/**
 * One cache file: a checked line for each item. Appends lines, tracks the current ones, and rewrites itself
 * when most are outdated.
 */
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import {
  type Disk,
  type DiskFile,
  formatCheckedLine,
  type LineBlock,
  readCheckedLine,
  readLineBlocks,
  removeFileIfExists,
  splitLines,
  UNFINISHED_SUFFIX,
  withFile,
} from '../disk.ts';
import type { CachedItem } from './item-cache.ts';

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

interface Line {
  readonly start: number;
  readonly bytes: number;
}

export class CacheFile<T> {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #schema: z.ZodType<T>;
  /** The position of each key's current line. */
  readonly #lines = new Map<number, Line>();
  /** How many bytes are known to be durable. */
  #bytes = 0;
  #liveBytes = 0;
  /** Whether the file's name survives a loss of power. */
  #isNamed = false;
  /**
   * After a failed write: the file's content after `#bytes` is unknown; cut it off before the next append.
   */
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
      if (block.whole) yield this.#take(block);
      else this.#leaveTorn();
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

  /**
   * Writes the current lines to a new file, which replaces the old one. @throws disk errors; then the old one
   * stays.
   */
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
      if (item) found.push(item);
      else this.damagedLines += 1;
      if (item) this.#note(item.key, line.length + 1);
      else this.#bytes += line.length + 1;
    }
    return found;
  }

  #leaveTorn(): void {
    this.damagedLines += 1;
    this.#isUncut = true;
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
