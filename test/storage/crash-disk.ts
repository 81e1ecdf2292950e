/**
 * An in-memory disk that loses unsynced data. It can stop at any step, like a machine without power: the
 * current step is done in part, and nothing after it. It can also fail a step with an error.
 */
import { dirname } from 'node:path';
import type { RandomSource } from '../../src/clock.ts';
import type { Disk, DiskFile } from '../../src/storage/disk.ts';

/** `durable`: how many bytes surely survive; later bytes may, up to any position. */
interface Content {
  bytes: Buffer;
  durable: number;
  changedAt: number;
}

type Names = Map<string, Content>;
export type Operation =
  | 'create'
  | 'append'
  | 'write'
  | 'sync'
  | 'truncate'
  | 'rename'
  | 'remove'
  | 'syncFolder'
  | 'read';

export class CrashDisk implements Disk {
  #names: Names;
  #durableNames: Names;
  #pendingNames: ((names: Names) => void)[] = [];
  #crashed = false;
  #tellCrash = () => {};
  /** Resolves when it has stopped. */
  readonly crashed: Promise<void>;
  /** Steps so far. */
  steps = 0;
  /** Stops at this step. */
  crashAt = Number.POSITIVE_INFINITY;
  /** The error code of a failed step. */
  fault: (operation: Operation, path: string) => string | undefined = () => undefined;
  /** Waits in each sync, so that a test can act in the meantime. */
  duringSync: () => Promise<void> = () => Promise.resolve();
  syncs = 0;

  constructor(names: Names = new Map()) {
    this.#names = new Map(names);
    this.#durableNames = new Map(names);
    this.crashed = new Promise((resolve) => {
      this.#tellCrash = resolve;
    });
  }

  crash(): void {
    this.#crashed = true;
    this.#tellCrash();
  }

  /** The disk of the next start: all synced data and some of the unsynced. The lock's holder is dead. */
  restart(random: RandomSource): CrashDisk {
    this.crash();
    const names = new Map(this.#durableNames);
    const survived = Math.floor(random() * (this.#pendingNames.length + 1));
    for (const change of this.#pendingNames.slice(0, survived)) change(names);
    const found: Names = new Map();
    for (const [path, { bytes, durable }] of names) {
      if (path.endsWith('/lock')) continue;
      const kept = durable + Math.floor(random() * (bytes.length - durable + 1));
      found.set(path, { bytes: Buffer.from(bytes.subarray(0, kept)), durable: kept, changedAt: 0 });
    }
    return new CrashDisk(found);
  }

  /** The paths, sorted. */
  paths(): string[] {
    return [...this.#names.keys()].sort();
  }

  text(path: string): string {
    return this.#content(path).bytes.toString();
  }

  /** Changes a file without the store's knowledge. */
  overwrite(path: string, text: string): void {
    const bytes = Buffer.from(text);
    this.#names.set(path, { bytes, durable: bytes.length, changedAt: 0 });
    this.#durableNames.set(path, this.#content(path));
  }

  forget(path: string): void {
    this.#names.delete(path);
    this.#durableNames.delete(path);
  }

  async makeFolder(): Promise<void> {}

  async list(folder: string): Promise<string[]> {
    await this.#alive();
    return this.paths().flatMap((path) => (dirname(path) === folder ? [path.slice(folder.length + 1)] : []));
  }

  async create(path: string): Promise<DiskFile> {
    if (this.#names.has(path)) throw systemError('EEXIST', path);
    await this.#step('create', path, () => this.#addName(path));
    return this.#file(path);
  }

  async openForAppend(path: string): Promise<DiskFile> {
    await this.#step('append', path, () => {
      if (!this.#names.has(path)) this.#addName(path);
    });
    return this.#file(path);
  }

  async *read(path: string): AsyncGenerator<Uint8Array> {
    await this.#alive();
    const code = this.fault('read', path);
    if (code) throw systemError(code, path);
    const { bytes } = this.#content(path);
    // Chunks that end anywhere: the reader must not depend on lines.
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
  }

  async truncate(path: string, length: number): Promise<void> {
    await this.#step('truncate', path, () => {
      const content = this.#content(path);
      content.bytes = content.bytes.subarray(0, length);
      content.durable = Math.min(content.durable, length);
    });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#step('rename', from, () => {
      const content = this.#content(from);
      this.#changeNames((names) => {
        names.delete(from);
        names.set(to, content);
      });
    });
  }

  async remove(path: string): Promise<void> {
    this.#content(path);
    await this.#step('remove', path, () => this.#changeNames((names) => names.delete(path)));
  }

  async syncFolder(folder: string): Promise<void> {
    await this.#step('syncFolder', folder, () => {
      for (const change of this.#pendingNames) change(this.#durableNames);
      this.#pendingNames = [];
    });
  }

  async touch(path: string, at: number): Promise<void> {
    await this.#alive();
    this.#content(path).changedAt = at;
  }

  async lastModifiedAt(path: string): Promise<number> {
    await this.#alive();
    return this.#content(path).changedAt;
  }

  #file(path: string): DiskFile {
    const content = this.#content(path);
    const write = (bytes: Uint8Array) => {
      content.bytes = Buffer.concat([content.bytes, bytes]);
    };
    return {
      write: (bytes) =>
        this.#step(
          'write',
          path,
          () => write(bytes),
          () => write(bytes.subarray(0, bytes.length / 2)),
        ),
      sync: async () => {
        const reached = content.bytes.length;
        await this.duringSync();
        await this.#step('sync', path, () => {
          this.syncs += 1;
          content.durable = Math.max(content.durable, Math.min(reached, content.bytes.length));
        });
      },
      close: async () => {
        await this.#alive();
      },
    };
  }

  async #step(operation: Operation, path: string, act: () => void, actInPart = act): Promise<void> {
    await this.#alive();
    this.steps += 1;
    const code = this.fault(operation, path);
    const refused = code !== undefined || this.steps >= this.crashAt;
    if (operation === 'write' && refused) actInPart();
    if (this.steps >= this.crashAt) this.crash();
    await this.#alive();
    if (code !== undefined) throw systemError(code, path);
    act();
  }

  /** Never resolves after the stop. */
  async #alive(): Promise<void> {
    await Promise.resolve();
    if (this.#crashed) await new Promise(() => {});
  }

  #addName(path: string): void {
    const content = { bytes: Buffer.alloc(0), durable: 0, changedAt: 0 };
    this.#changeNames((names) => names.set(path, content));
  }

  #changeNames(change: (names: Names) => void): void {
    change(this.#names);
    this.#pendingNames.push(change);
  }

  #content(path: string): Content {
    const content = this.#names.get(path);
    if (!content) throw systemError('ENOENT', path);
    return content;
  }
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
