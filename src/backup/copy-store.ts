/**
 * Copies a data folder, also of a Gigdesk that runs: to the state of one moment, with nothing of a later one in between.
 *
 * A plain copy may take a journal, miss what it grew by while the next one was begun, and then take that: a gap. Or the snapshot may
 * be replaced under its hands. So snapshot and journals are taken in their order, each journal to its end before the next, and the
 * copy is opened before it counts.
 */
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { silentLog } from '../log.ts';
import type { Disk } from '../storage/lowdb/disk.ts';
import { listFileNumbers, storeFilePath } from '../storage/lowdb/file-names.ts';
import { openLowdbStore } from '../storage/lowdb/open.ts';
import { systemErrorCode } from '../storage/lowdb/storage-errors.ts';

export type BackupResult =
  | { readonly kind: 'made'; readonly files: number; readonly bytes: number }
  /** There is something at the target already; nothing was touched. */
  | { readonly kind: 'target-in-use' }
  /** The source holds no data of Gigdesk. */
  | { readonly kind: 'nothing-there' }
  /** The copy can't be trusted and is gone again; `why` in sentences. */
  | { readonly kind: 'unsound'; readonly why: readonly string[] };

export interface BackupDependencies {
  readonly disk: Disk;
  readonly clock: Clock;
}

/** Snapshots are replaced after hours, so a second try is rare already. */
const TRIES = 5;
/** The folder of the shelves. They are a cache: what the store has told of them must not come later than they do. */
const SHELVES = 'proposals';

interface Copied {
  files: number;
  bytes: number;
}

async function copyFile(
  { disk }: BackupDependencies,
  from: string,
  to: string,
  copied: Copied,
): Promise<void> {
  const file = await disk.create(to);
  try {
    for await (const piece of disk.read(from)) {
      await file.write(piece);
      copied.bytes += piece.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  copied.files += 1;
}

async function listIfThere(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

async function copyShelves(
  parts: BackupDependencies,
  from: string,
  to: string,
  copied: Copied,
): Promise<void> {
  const names = (await listIfThere(join(from, SHELVES))).filter((name) => name.endsWith('.jsonl'));
  if (names.length === 0) return;
  await parts.disk.makeFolder(join(to, SHELVES));
  for (const name of names) await copyFile(parts, join(from, SHELVES, name), join(to, SHELVES, name), copied);
}

/** The newest snapshot, then every journal since. @throws Error ENOENT when the store has moved on meanwhile. */
async function copyJournaled(
  parts: BackupDependencies,
  from: string,
  to: string,
  copied: Copied,
): Promise<void> {
  const { disk } = parts;
  const snapshot = listFileNumbers('snapshot', await disk.list(from)).at(-1);
  const take = async (kind: 'snapshot' | 'journal', number: number) => {
    const path = storeFilePath(from, kind, number);
    const target = join(to, basename(path));
    await rm(target, { force: true });
    await copyFile(parts, path, target, copied);
  };
  if (snapshot !== undefined) await take('snapshot', snapshot);
  let last: number | undefined;
  for (;;) {
    const since = last;
    const journals = listFileNumbers('journal', await disk.list(from)).filter(
      (it) => it >= (since ?? snapshot ?? 0),
    );
    if (journals.length === 0 || journals.at(-1) === since) return;
    // The one that was the last grew on after it was copied, and is complete now that another one follows.
    for (const journal of journals) await take('journal', journal);
    last = journals.at(-1);
  }
}

/** What is the matter with a copy, in sentences; opening it also cuts off a line that was under way. */
async function checkCopy({ clock }: BackupDependencies, folder: string): Promise<readonly string[]> {
  const store = await openLowdbStore({ folder, collections: [], log: silentLog, clock });
  await store.close();
  return store.notices;
}

async function copyOnce(
  parts: BackupDependencies,
  from: string,
  to: string,
): Promise<BackupResult | 'again'> {
  const copied: Copied = { files: 0, bytes: 0 };
  try {
    await parts.disk.makeFolder(to);
    await copyShelves(parts, from, to, copied);
    await copyJournaled(parts, from, to, copied);
    await parts.disk.syncFolder(to);
    const why = await checkCopy(parts, to);
    return why.length === 0 ? { kind: 'made', ...copied } : { kind: 'unsound', why };
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return 'again';
    throw thrown;
  }
}

/** @throws StorageError or Error with Node's code when the disk refuses; nothing is left at the target then. */
export async function copyStore(parts: BackupDependencies, from: string, to: string): Promise<BackupResult> {
  const names = await listIfThere(from);
  if (listFileNumbers('journal', names).length + listFileNumbers('snapshot', names).length === 0)
    return { kind: 'nothing-there' };
  if ((await listIfThere(to)).length > 0) return { kind: 'target-in-use' };
  let outcome: BackupResult | 'again' = 'again';
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      outcome = await copyOnce(parts, from, to);
    } catch (thrown) {
      await rm(to, { recursive: true, force: true });
      throw thrown;
    }
    if (outcome !== 'again' && outcome.kind === 'made') return outcome;
    await rm(to, { recursive: true, force: true });
  }
  return outcome === 'again'
    ? { kind: 'unsound', why: ['Some files disappeared while they were being copied.'] }
    : outcome;
}
