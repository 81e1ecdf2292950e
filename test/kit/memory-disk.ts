/**
 * A disk in memory. It works at once and reports a turn of the event loop later, so that a crash can come
 * between the two. It can stop at any step, like a machine without power: that step is done in part, nothing
 * after it, and unsynced data may be lost. It can also fail a step with an error.
 */
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { RandomSource } from '../../src/clock.ts';
import type { Disk, DiskFile } from '../../src/storage/disk.ts';

interface Content {
  /** Over-allocated: copying everything for each line would be quadratic. */
  bytes: Buffer;
  length: number;
  /** How many bytes surely survive; later bytes may, up to any position. */
  durable: number;
  changedAt: number;
}

type Names = Map<string, Content>;
type Operation =
  | 'create'
  | 'append'
  | 'write'
  | 'sync'
  | 'truncate'
  | 'rename'
  | 'remove'
  | 'syncFolder'
  | 'read';

const never = new Promise<never>(() => {});

export class MemoryDisk implements Disk {
  readonly #pieceBytes: number;
  readonly #folders = new Set<string>();
  readonly #names: Names = new Map();
  readonly #durableNames: Names = new Map();
  #pendingNames: ((names: Names) => void)[] = [];
  #isCrashed = false;
  #tellCrash = () => {};
  /** Resolves when it has stopped. */
  readonly crashed = new Promise<void>((resolve) => {
    this.#tellCrash = resolve;
  });
  /** Steps so far, and the one at which it stops. */
  steps = 0;
  crashAt = Number.POSITIVE_INFINITY;
  /** The error code of a failed step. */
  fault: (operation: Operation, at: string) => string | undefined = () => undefined;
  /** Waits in each sync, so that a test can act in the meantime. */
  duringSync: () => Promise<void> = () => Promise.resolve();
  syncs = 0;

  /** @param pieceBytes small pieces end anywhere: a reader must not depend on lines */
  constructor(pieceBytes = 100) {
    this.#pieceBytes = pieceBytes;
  }

  /** The disk of the next start: all synced data and some of the unsynced. The lock's holder is dead. */
  restart(random: RandomSource): MemoryDisk {
    this.#crash();
    const names = new Map(this.#durableNames);
    const survived = Math.floor(random() * (this.#pendingNames.length + 1));
    for (const change of this.#pendingNames.slice(0, survived)) change(names);
    const next = new MemoryDisk(this.#pieceBytes);
    for (const [at, { bytes, length, durable }] of names) {
      if (path.basename(at) === 'lock') continue;
      next.#put(at, bytes.subarray(0, durable + Math.floor(random() * (length - durable + 1))));
    }
    return next;
  }

  /** The paths, sorted. */
  paths(): string[] {
    return [...this.#names.keys()].sort();
  }

  text(at: string): string {
    const { bytes, length } = this.#content(at);
    return bytes.toString('utf8', 0, length);
  }

  /** Changes a file without the store's knowledge. */
  overwrite(at: string, text: string): void {
    this.#put(at, Buffer.from(text));
  }

  forget(at: string): void {
    this.#names.delete(at);
    this.#durableNames.delete(at);
  }

  /** A folder's current content, with the folders in it, without the files of `leaveOut`. */
  copyFolder(from: string, to: string, leaveOut: (name: string) => boolean): void {
    this.removeFolder(to);
    const placed = (at: string) => path.join(to, path.relative(from, at));
    for (const folder of [...this.#folders].filter((it) => isIn(from, it))) this.#folders.add(placed(folder));
    for (const [at, { bytes, length }] of Array.from(this.#names))
      if (isIn(from, at) && !leaveOut(path.basename(at))) this.#put(placed(at), bytes.subarray(0, length));
  }

  removeFolder(folder: string): void {
    for (const at of this.paths().filter((it) => isIn(folder, it))) this.forget(at);
    for (const at of [...this.#folders].filter((it) => isIn(folder, it))) this.#folders.delete(at);
  }

  async makeFolder(folder: string): Promise<void> {
    this.#folders.add(folder);
    await this.#turn();
  }

  async list(folder: string): Promise<string[]> {
    if (!this.#folders.has(folder)) throw systemError('ENOENT', folder);
    const found = this.paths().filter((at) => path.dirname(at) === folder);
    await this.#turn();
    return found.map((at) => path.basename(at));
  }

  async create(at: string): Promise<DiskFile> {
    if (this.#names.has(at)) throw systemError('EEXIST', at);
    return this.#open('create', at);
  }

  openForAppend(at: string): Promise<DiskFile> {
    return this.#open('append', at);
  }

  async *read(at: string): AsyncGenerator<Uint8Array> {
    const { bytes, length } = await this.#step('read', at, () => ({ ...this.#content(at) }));
    // Copies: data that was read must not change with the file.
    for (let from = 0; from < length; from += this.#pieceBytes)
      yield Buffer.from(bytes.subarray(from, Math.min(from + this.#pieceBytes, length)));
  }

  truncate(at: string, length: number): Promise<void> {
    return this.#step('truncate', at, () => {
      const content = this.#content(at);
      content.length = Math.min(content.length, length);
      content.durable = Math.min(content.durable, length);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#step('rename', from, () => {
      const content = this.#content(from);
      this.#changeNames((names) => {
        names.delete(from);
        names.set(to, content);
      });
    });
  }

  remove(at: string): Promise<void> {
    return this.#step('remove', at, () => {
      this.#content(at);
      this.#changeNames((names) => names.delete(at));
    });
  }

  syncFolder(folder: string): Promise<void> {
    return this.#step('syncFolder', folder, () => {
      for (const change of this.#pendingNames) change(this.#durableNames);
      this.#pendingNames = [];
    });
  }

  async touch(at: string, changedAt: number): Promise<void> {
    this.#content(at).changedAt = changedAt;
    await this.#turn();
  }

  async lastModifiedAt(at: string): Promise<number> {
    const { changedAt } = this.#content(at);
    await this.#turn();
    return changedAt;
  }

  async #open(operation: 'create' | 'append', at: string): Promise<DiskFile> {
    const content = await this.#step(operation, at, () => {
      const known = this.#names.get(at);
      if (known) return known;
      this.#folders.add(path.dirname(at));
      const empty = { bytes: Buffer.alloc(0), length: 0, durable: 0, changedAt: 0 };
      this.#changeNames((names) => names.set(at, empty));
      return empty;
    });
    return {
      write: (bytes) => this.#step('write', at, (share) => this.#append(content, bytes, share)),
      sync: async () => {
        const reached = content.length;
        await this.duringSync();
        await this.#step('sync', at, () => {
          this.syncs += 1;
          content.durable = Math.max(content.durable, Math.min(reached, content.length));
        });
      },
      close: () => this.#turn(),
    };
  }

  #crash(): void {
    this.#isCrashed = true;
    this.#tellCrash();
  }

  /** @param act does the step, or a share of it */
  async #step<T>(operation: Operation, at: string, act: (share: number) => T): Promise<T> {
    if (this.#isCrashed) await never;
    if (operation !== 'read') this.steps += 1;
    const code = this.fault(operation, at);
    const isLast = this.steps >= this.crashAt;
    if (operation === 'write' && (isLast || code !== undefined)) act(0.5);
    if (isLast) {
      this.#crash();
      await never;
    }
    if (code !== undefined) throw systemError(code, at);
    const result = act(1);
    await this.#turn();
    return result;
  }

  /** Never resolves after the stop. */
  async #turn(): Promise<void> {
    await setImmediate();
    if (this.#isCrashed) await never;
  }

  #changeNames(change: (names: Names) => void): void {
    change(this.#names);
    this.#pendingNames.push(change);
  }

  /** Durable at once. */
  #put(at: string, bytes: Uint8Array): void {
    const { length } = bytes;
    const content = { bytes: Buffer.from(bytes), length, durable: length, changedAt: 0 };
    this.#folders.add(path.dirname(at));
    this.#names.set(at, content);
    this.#durableNames.set(at, content);
  }

  #append(file: Content, bytes: Uint8Array, share: number): void {
    const added = bytes.subarray(0, bytes.length * share);
    const length = file.length + added.length;
    if (length > file.bytes.length) {
      const larger = Buffer.alloc(2 * length);
      file.bytes.copy(larger, 0, 0, file.length);
      file.bytes = larger;
    }
    file.bytes.set(added, file.length);
    file.length = length;
  }

  #content(at: string): Content {
    const content = this.#names.get(at);
    if (!content) throw systemError('ENOENT', at);
    return content;
  }
}

/** The folder itself, or anything in it. */
function isIn(folder: string, at: string): boolean {
  return at === folder || at.startsWith(`${folder}${path.sep}`);
}

function systemError(code: string, at: string): Error {
  return Object.assign(new Error(`${code}: ${at}`), { code });
}
