/** Checks whether Gigdesk already uses the data folder: a second process couldn't start. */
import { asError } from '../errors.ts';
import { fileSystemDisk } from '../storage/disk.ts';
import { findLockHolder, type LockHolder } from '../storage/journal/lock.ts';
import type { DoctorFinding } from './finding.ts';

const CHECK = 'lock';

const SAYS: Readonly<Record<Exclude<LockHolder['kind'], 'running'>, string>> = {
  nobody: 'the data folder is not in use',
  gone: 'left by a Gigdesk that was killed; the next start takes over the data folder',
  unknown:
    'Gigdesk may be running on another machine or in another container; a start watches the lock for 15 s',
};

/** Whether Gigdesk runs on the folder, or may run on another machine. False if the lock is unreadable. */
export async function isGigdeskPossiblyRunning(folder: string): Promise<boolean> {
  const holder = await findLockHolder(fileSystemDisk, folder).catch(() => undefined);
  return holder?.kind === 'running' || holder?.kind === 'unknown';
}

/** Running the doctor next to Gigdesk is fine, so a lock in use isn't a failure. */
export async function checkDataFolderLock(folder: string): Promise<DoctorFinding> {
  try {
    const holder = await findLockHolder(fileSystemDisk, folder);
    const says =
      holder.kind === 'running' ? `Gigdesk is running as process ${holder.pid}` : SAYS[holder.kind];
    return { check: CHECK, ok: true, detail: says };
  } catch (thrown) {
    const owner = 'they belong to the user who ran Gigdesk before';
    return {
      check: CHECK,
      ok: false,
      detail: `isn't readable: ${asError(thrown).message}`,
      remedy: `make the files in ${folder} readable for this user; ${owner}`,
    };
  }
}
