/**
 * An in-memory disk for long simulations. It works at once and reports a turn of the event loop later, so a
 * crash can come between the two, as on a real disk.
 */
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/clock.ts';
import type { Disk, DiskFile } from '../../src/storage/disk.ts';

/** The real disk's chunk size. */
const PIECE_BYTES = 64 * 1024;

interface Kept {
  /** Over-allocated: copying everything for each line would be quadratic. */
  bytes: Buffer;
  length: number;
  changedAt: number;
}

function fault(code: string, at: string): Error {
  return Object.assign(new Error(`${code}: ${at}`), { code });
}

/** The folder itself, or anything in it. */
function isIn(folder: string, at: string): boolean {
  return at === folder || at.startsWith(`${folder}${path.sep}`);
}

export class MemoryDisk implements Disk {
  readonly #files = new Map<string, Kept>();
  readonly #folders = new Set<string>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async makeFolder(folder: string): Promise<void> {
    this.#folders.add(folder);
    await setImmediate();
  }

  async list(folder: string): Promise<string[]> {
    this.#need(this.#folders.has(folder), 'ENOENT', folder);
    const names = this.#within(folder);
    await setImmediate();
    return names;
  }

  async create(at: string): Promise<DiskFile> {
    this.#need(!this.#files.has(at), 'EEXIST', at);
    return this.openForAppend(at);
  }

  async openForAppend(at: string): Promise<DiskFile> {
    this.#need(this.#folders.has(path.dirname(at)), 'ENOENT', at);
    const file = this.#files.get(at) ?? { bytes: Buffer.alloc(0), length: 0, changedAt: this.#clock.now() };
    this.#files.set(at, file);
    await setImmediate();
    return {
      write: (bytes) => {
        this.#write(file, bytes);
        return setImmediate();
      },
      sync: () => setImmediate(),
      close: () => Promise.resolve(),
    };
  }

  async *read(at: string): AsyncIterable<Uint8Array> {
    const file = this.#file(at);
    await setImmediate();
    for (let from = 0; from < file.length; from += PIECE_BYTES) {
      // A copy: data that was read must not change with the file.
      yield Buffer.from(file.bytes.subarray(from, Math.min(from + PIECE_BYTES, file.length)));
      await setImmediate();
    }
  }

  async truncate(at: string, length: number): Promise<void> {
    const file = this.#file(at);
    file.length = Math.min(file.length, length);
    await setImmediate();
  }

  async rename(from: string, to: string): Promise<void> {
    this.#files.set(to, this.#file(from));
    this.#files.delete(from);
    await setImmediate();
  }

  async remove(at: string): Promise<void> {
    this.#need(this.#files.delete(at), 'ENOENT', at);
    await setImmediate();
  }

  syncFolder(): Promise<void> {
    return setImmediate();
  }

  async touch(at: string, changedAt: number): Promise<void> {
    this.#file(at).changedAt = changedAt;
    await setImmediate();
  }

  async lastModifiedAt(at: string): Promise<number> {
    const { changedAt } = this.#file(at);
    await setImmediate();
    return changedAt;
  }

  /** A folder's current content, with the folders in it, without the files of `leaveOut`. */
  copyFolder(from: string, to: string, leaveOut: (name: string) => boolean): void {
    this.removeFolder(to);
    for (const folder of [...this.#folders].filter((it) => isIn(from, it)))
      this.#folders.add(path.join(to, path.relative(from, folder)));
    for (const [at, { bytes, length, changedAt }] of Array.from(this.#files)) {
      if (!isIn(from, at) || leaveOut(path.basename(at))) continue;
      const copy = Buffer.from(bytes.subarray(0, length));
      this.#files.set(path.join(to, path.relative(from, at)), { bytes: copy, length, changedAt });
    }
  }

  removeFolder(folder: string): void {
    for (const at of [...this.#files.keys()].filter((it) => isIn(folder, it))) this.#files.delete(at);
    for (const at of [...this.#folders].filter((it) => isIn(folder, it))) this.#folders.delete(at);
  }

  #within(folder: string): string[] {
    return [...this.#files.keys()].filter((it) => path.dirname(it) === folder).map((it) => path.basename(it));
  }

  #file(at: string): Kept {
    const file = this.#files.get(at);
    if (!file) throw fault('ENOENT', at);
    return file;
  }

  #need(holds: boolean, code: string, at: string): void {
    if (!holds) throw fault(code, at);
  }

  #write(file: Kept, bytes: Uint8Array): void {
    const length = file.length + bytes.length;
    if (length > file.bytes.length) {
      const larger = Buffer.alloc(2 * length);
      file.bytes.copy(larger, 0, 0, file.length);
      file.bytes = larger;
    }
    file.bytes.set(bytes, file.length);
    file.length = length;
    file.changedAt = this.#clock.now();
  }
}
