/** Lets only one process use a folder: a lock file names its holder, and the holder touches it regularly. */
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import { type Clock, type Instant, SECOND } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { type Disk, quarantineFileName, withFile } from '../disk.ts';
import { StorageError, systemErrorCode } from '../store.ts';

/** Identifies a lock's holder so exactly that a reused process ID is not mistaken for it. */
const ProcessIdentity = z.object({
  pid: z.number().int().positive(),
  /** When the process started, in the kernel's ticks since boot; null where the system doesn't say. */
  started: z.string().nullable(),
  /** The machine, its boot and the process namespace in which `pid` means something. */
  realm: z.string(),
});
type ProcessIdentity = z.infer<typeof ProcessIdentity>;

const LOCK = 'lock';
const BEAT_MS = 5 * SECOND;
/** An uncheckable holder's lock counts as abandoned after this time without a change. */
const STILL_MS = 3 * BEAT_MS;
/** Other processes may take and release the lock meanwhile. */
const TRIES = 5;

export interface LockOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Stops watching a lock that may be abandoned. */
  readonly signal?: AbortSignal;
  /** Called once when another process took over the folder. */
  readonly onTakenOver?: (error: StorageError) => void;
}

interface Place extends LockOptions {
  readonly path: string;
  readonly self: ProcessIdentity;
}

export type LockHolder =
  | { readonly kind: 'running'; readonly pid: number }
  /** `gone`: the next start takes the lock over. `unknown`: hidden, for example in another container. */
  | { readonly kind: 'nobody' | 'gone' | 'unknown' };

/** Who uses a folder; changes nothing. @throws Error with Node's code when the lock can't be read. */
export async function findLockHolder(disk: Disk, folder: string): Promise<LockHolder> {
  const text = await readText(disk, join(folder, LOCK));
  if (text === undefined) return { kind: 'nobody' };
  const holder = parseHolder(text);
  if (!holder) return { kind: 'unknown' };
  const kind = await checkProcessState(holder, await identifyProcess());
  return kind === 'running' ? { kind, pid: holder.pid } : { kind };
}

/** @throws StorageError `locked` when the folder is in use, also by this very process; `signal`'s reason. */
export async function acquireLock(options: LockOptions): Promise<Lock> {
  const { folder, clock } = options;
  const place: Place = { ...options, path: join(folder, LOCK), self: await identifyProcess() };
  const text = JSON.stringify({ ...place.self, taken: clock.now() });
  for (let tries = 0; tries < TRIES; tries++) {
    if (await createLock(place, text)) return new Lock(place, text);
    await removeStale(place);
  }
  throw refusal(folder, undefined);
}

async function createLock({ disk, path }: Place, text: string): Promise<boolean> {
  try {
    await withFile(await disk.create(path), (file) => file.write(Buffer.from(text)));
    return true;
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

/** Returns when the existing lock is gone. @throws StorageError when its holder is alive. */
async function removeStale(place: Place): Promise<void> {
  const { disk, path, self, folder, log } = place;
  const text = await readText(disk, path);
  if (text === undefined) return;
  const holder = parseHolder(text);
  const found = holder ? await checkProcessState(holder, self) : 'unknown';
  if (found === 'running') throw refusal(folder, holder);
  if (found === 'unknown' && (await movesWithin(place, text))) throw refusal(folder, holder);
  // Renamed, not removed: of two processes that saw the same stale lock, only one gets it.
  const stale = quarantineFileName(`${path}.stale`, place.clock.now());
  await disk.rename(path, stale).catch(() => undefined);
  const moved = await readText(disk, stale);
  if (moved === undefined) return;
  if (moved !== text) {
    await disk.rename(stale, path);
    throw refusal(folder, parseHolder(moved));
  }
  await disk.remove(stale);
  log.warn('Took over the lock of a process that ended', { folder, pid: holder?.pid });
}

async function movesWithin(place: Place, text: string): Promise<boolean> {
  const { disk, path, clock, folder, log, signal } = place;
  const before = await disk.lastModifiedAt(path).catch(() => undefined);
  const fields = { folder, watchMs: STILL_MS };
  log.warn('The data folder is locked; checking whether the lock is still in use', fields);
  await clock.sleep(STILL_MS, signal);
  const now = await readText(disk, path);
  if (now === undefined) return false;
  return now !== text || (await disk.lastModifiedAt(path).catch(() => undefined)) !== before;
}

export class Lock {
  readonly #place: Place;
  readonly #text: string;
  #lost: StorageError | undefined;
  /** When the lock was last checked to be ours. */
  #seenAt: Instant;
  #stopBeat = () => {};
  #isReleased = false;

  constructor(place: Place, text: string) {
    this.#place = place;
    this.#text = text;
    this.#seenAt = place.clock.now();
    this.#scheduleBeat();
  }

  /** Await it before every write. @throws StorageError `locked` when another process took over the folder. */
  async assertHeld(): Promise<void> {
    // A process that hung for so long may have lost its lock meanwhile.
    if (this.#place.clock.now() - this.#seenAt >= 2 * BEAT_MS) await this.#look();
    if (this.#lost) throw this.#lost;
  }

  async release(): Promise<void> {
    const { disk, path } = this.#place;
    this.#isReleased = true;
    this.#stopBeat();
    if ((await readText(disk, path)) === this.#text) await disk.remove(path);
  }

  async #look(): Promise<void> {
    const { disk, folder, path, clock, log, onTakenOver } = this.#place;
    const text = await readText(disk, path);
    // A beat may have begun before.
    if (this.#isReleased) return;
    if (text === this.#text) {
      this.#seenAt = clock.now();
    } else if (!this.#lost) {
      this.#lost = refusal(folder, undefined);
      log.error('Another process took over the data folder; this one stopped writing', { folder });
      onTakenOver?.(this.#lost);
    }
  }

  async #beat(): Promise<void> {
    await this.#look();
    if (this.#lost || this.#isReleased) return;
    await this.#place.disk.touch(this.#place.path, this.#place.clock.now());
    this.#scheduleBeat();
  }

  #scheduleBeat(): void {
    if (this.#isReleased) return;
    this.#stopBeat = this.#place.clock.runAfter(BEAT_MS, () => {
      this.#beat().catch(() => this.#scheduleBeat());
    });
  }
}

async function readText(disk: Disk, path: string): Promise<string | undefined> {
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of disk.read(path)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

function parseHolder(text: string): ProcessIdentity | undefined {
  return ProcessIdentity.safeParse(parseJson(text)).data;
}

function refusal(folder: string, holder: ProcessIdentity | undefined): StorageError {
  const who = holder ? `process ${holder.pid}` : 'another process';
  const here = holder?.pid === process.pid ? ' (this one)' : '';
  return new StorageError(
    'locked',
    `The folder ${folder} is in use by ${who}${here}. Only one process can use it at a time. ` +
      'Stop the other one first.',
  );
}

/** Field 22 of /proc/<pid>/stat; the name before it may contain spaces and parentheses. Source: proc(5). */
async function startOf(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

export async function identifyProcess(): Promise<ProcessIdentity> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return {
    pid: process.pid,
    started: await startOf(process.pid),
    realm: [hostname(), boot.trim(), namespace].join(' '),
  };
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemErrorCode(thrown) !== 'ESRCH';
  }
}

/** `unknown`: the process is not visible from here (another container), or its start time is unknown. */
async function checkProcessState(holder: ProcessIdentity, self: ProcessIdentity) {
  if (holder.realm !== self.realm) return 'unknown';
  if (!answersSignals(holder.pid)) return 'gone';
  const started = await startOf(holder.pid);
  if (started === null || holder.started === null) return 'unknown';
  return started === holder.started ? 'running' : 'gone';
}
