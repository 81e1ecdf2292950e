/**
 * Copies a data folder, even while Gigdesk runs, to the state of one moment.
 *
 * A plain copy can miss a journal's last lines and still copy the next journal, or lose a replaced snapshot.
 * So this copies the snapshot first, then each journal to its end before the next, and reads the copy to
 * check it.
 */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CURRENT_DATA_VERSION } from '../storage/commit-log.ts';
import {
  type Disk,
  hasStoreFiles,
  listFileNumbers,
  listIfThere,
  storeFilePath,
  withFile,
} from '../storage/disk.ts';
import { readFolderRecords } from '../storage/journal/read-records.ts';
import { systemErrorCode } from '../storage/store.ts';

export type BackupResult =
  | { readonly kind: 'made'; readonly files: number; readonly bytes: number }
  /** The target isn't empty; nothing was touched. */
  | { readonly kind: 'target-in-use' }
  /** The source has no Gigdesk data. */
  | { readonly kind: 'nothing-there' }
  /** The copy failed its check and was deleted; `why` in sentences. */
  | { readonly kind: 'unsound'; readonly why: readonly string[] };

/** Folder of the cache files, copied first: they must not be newer than the store's records of them. */
const SHELVES = 'proposals';

interface Copied {
  files: number;
  bytes: number;
}

async function copyFile(disk: Disk, from: string, to: string, copied: Copied): Promise<void> {
  await withFile(await disk.create(to), async (file) => {
    for await (const piece of disk.read(from)) {
      await file.write(piece);
      copied.bytes += piece.length;
    }
    await file.sync();
  });
  copied.files += 1;
}

async function copyShelves(disk: Disk, from: string, to: string, copied: Copied): Promise<void> {
  const names = (await listIfThere(join(from, SHELVES))).filter((name) => name.endsWith('.jsonl'));
  if (names.length === 0) return;
  await disk.makeFolder(join(to, SHELVES));
  for (const name of names) await copyFile(disk, join(from, SHELVES, name), join(to, SHELVES, name), copied);
}

/** Copies the newest snapshot and all later journals. @throws Error ENOENT when a file disappears. */
async function copyJournaled(disk: Disk, from: string, to: string, copied: Copied): Promise<void> {
  const snapshot = listFileNumbers('snapshot', await disk.list(from)).at(-1);
  const take = async (kind: 'snapshot' | 'journal', number: number) => {
    const path = storeFilePath(from, kind, number);
    const target = join(to, basename(path));
    await rm(target, { force: true });
    await copyFile(disk, path, target, copied);
  };
  if (snapshot !== undefined) await take('snapshot', snapshot);
  let last: number | undefined;
  for (;;) {
    const since = last;
    const all = listFileNumbers('journal', await disk.list(from));
    const journals = all.filter((it) => it >= (since ?? snapshot ?? 0));
    if (journals.length === 0 || journals.at(-1) === since) return;
    // The previous last journal may have grown after its copy; it is complete once another follows.
    for (const journal of journals) await take('journal', journal);
    last = journals.at(-1);
  }
}

async function copyOnce(disk: Disk, from: string, to: string): Promise<BackupResult | 'again'> {
  const copied: Copied = { files: 0, bytes: 0 };
  try {
    await disk.makeFolder(to);
    await copyShelves(disk, from, to, copied);
    await copyJournaled(disk, from, to, copied);
    await disk.syncFolder(to);
    const read = await readFolderRecords({ disk, folder: to, version: CURRENT_DATA_VERSION });
    const why = read.kind === 'read' ? read.damage : ['It has no data.'];
    return why.length === 0 ? { kind: 'made', ...copied } : { kind: 'unsound', why };
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return 'again';
    throw thrown;
  }
}

/** Copies a data folder. @throws StorageError or a disk's Error; the target is deleted then. */
export async function copyStore(disk: Disk, from: string, to: string): Promise<BackupResult> {
  const names = await listIfThere(from);
  if (!hasStoreFiles(names)) return { kind: 'nothing-there' };
  if ((await listIfThere(to)).length > 0) return { kind: 'target-in-use' };
  let outcome: BackupResult | 'again' = 'again';
  // Hours pass between two snapshots, so even a second try is rare.
  for (let tries = 0; tries < 5; tries++) {
    try {
      outcome = await copyOnce(disk, from, to);
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
